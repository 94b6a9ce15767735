import { describe, expect, test } from 'vitest'
import type { NoConnection } from './connect-socket.ts'
import { keepConnecting } from './keep-connecting.ts'
import { wait } from './wait.ts'

const reason = new Error('Never mind.')
const pipe = { pid: process.pid, address: 'unused' }
const bounds = { timeoutMs: 60_000, spentMs: 0, signal: undefined }
const absent: NoConnection = { isConnected: false, systemCode: 'ENOENT' }
const connected = { isConnected: true } as const

describe('keepConnecting', () => {
  test('tries again until there is a connection', async () => {
    const outcomes = [absent, { isConnected: false, systemCode: 'EBUSY' } as const, connected]
    expect(await keepConnecting(pipe, bounds, async () => outcomes.shift() ?? absent)).toBe(connected)
    expect(outcomes).toEqual([])
  })

  test('tries no more when it is aborted during an attempt, however that ends', async () => {
    const controller = new AbortController()
    let attemptCount = 0
    const trying = keepConnecting(pipe, { ...bounds, signal: controller.signal }, async () => {
      attemptCount++
      controller.abort(reason)
      return absent
    })
    await expect(trying).rejects.toBe(reason)
    expect(attemptCount).toBe(1)
  })

  test('does not try when it is aborted already', async () => {
    const trying = keepConnecting(
      pipe,
      { ...bounds, signal: AbortSignal.abort(reason) },
      async () => connected,
    )
    await expect(trying).rejects.toBe(reason)
  })
})

describe('wait', () => {
  test('ends at once with the reason of a signal that is aborted already', async () => {
    await expect(wait(600_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('ends with the reason of a signal that is aborted meanwhile', async () => {
    const controller = new AbortController()
    const waiting = wait(600_000, controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})
