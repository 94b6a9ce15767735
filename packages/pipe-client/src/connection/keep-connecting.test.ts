import { Deadline } from '@service-link/protocol-core/time'
import { describe, expect, test, vi } from 'vitest'
import { keepConnecting, type NoConnection } from './keep-connecting.ts'

const reason = new Error('Never mind.')
const { pid } = process
const within = (signal?: AbortSignal) => new Deadline(60_000, signal)
const absent: NoConnection = { isConnected: false, systemCode: 'ENOENT' }
const connected = { isConnected: true } as const

describe('keepConnecting', () => {
  test('retries until it connects', async () => {
    const outcomes = [absent, { isConnected: false, systemCode: 'EBUSY' } as const, connected]
    expect(await keepConnecting(pid, within(), async () => outcomes.shift() ?? absent)).toBe(connected)
    expect(outcomes).toEqual([])
  })

  test.each([
    ['five seconds without a pipe, though the process lives', 'ENOENT', 5_000, 'ERR_PIPE_NOT_FOUND'],
    ['its time, if each connection is dropped', 'ECONNRESET', 60_000, 'ERR_PIPE_CLOSED'],
    ['its time, if all instances are taken', 'EBUSY', 60_000, 'ERR_PIPE_TIMEOUT'],
  ])('gives up after %s', async (_title, systemCode, timeMs, code) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const attempt = async () => ({ isConnected: false, systemCode }) as const
      const failure = keepConnecting(pid, within(), attempt).catch(error => error)
      await vi.advanceTimersByTimeAsync(timeMs)
      expect(await failure).toMatchObject({ code })
    } finally {
      vi.useRealTimers()
    }
  })

  test('stops when aborted during an attempt, however that attempt ends', async () => {
    const controller = new AbortController()
    let attemptCount = 0
    const trying = keepConnecting(pid, within(controller.signal), async () => {
      attemptCount++
      controller.abort(reason)
      return absent
    })
    await expect(trying).rejects.toBe(reason)
    expect(attemptCount).toBe(1)
  })

  test('does not try when already aborted', async () => {
    const trying = keepConnecting(pid, within(AbortSignal.abort(reason)), async () => connected)
    await expect(trying).rejects.toBe(reason)
  })
})
