import { chmodSync, lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test, vi } from 'vitest'
import { connectWrapper, findWrappers } from '../../src/index.ts'
import { ownDesktop } from '../../src/running/own-desktop.ts'
import { addressOf, uniqueBrand } from '../support/pipe-places.ts'
import { deadPid } from '../support/processes.ts'
import { newKey, publish, userFolderOf } from '../support/records.ts'
import { type ServedConnection, type SessionAnswer, startSessionServer } from '../support/session-server.ts'

const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const selected = { status: 'selected', userid: 5, customid: '4711' }
const select: SessionAnswer = (connection, request) => connection.reply(request, selected)

type Prove = (connection: ServedConnection, ask: string, proof: Uint8Array) => void
const behind = (proof: Uint8Array, bytes: Uint8Array) => Buffer.concat([proof, bytes])
const otherAnswer = newKey().answer
const squatters: [string, Prove][] = [
  ['gives no proof', connection => connection.send('{}')],
  ['gives back the question', (connection, ask) => connection.send(JSON.stringify({ answer: ask }))],
  ['has another key', connection => connection.send(JSON.stringify({ answer: otherAnswer }))],
  ['answers as to hello', connection => connection.send('{"Id":1,"Result":{"protocol":1}}')],
  ['answers with something else', connection => connection.send('[]')],
  ['answers with no frame', ({ socket }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  [
    'sends a frame behind the proof',
    ({ socket }, _, proof) => socket.write(behind(proof, encodeFrame('{}'))),
  ],
  ['begins a frame behind the proof', ({ socket }, _, proof) => socket.write(behind(proof, Buffer.of(1)))],
]

describe('a wrapper must prove its identity first', () => {
  test('and the proven connection becomes the session', async () => {
    await using server = await startSessionServer(select)
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('session')
    expect(client.wrapper).toEqual({
      pid: process.pid,
      address: server.address,
      desktop: expect.any(String),
      version: '3.0.0.0',
    })
    expect(await client.selectPerson(person)).toEqual({ status: 'selected', userId: 5, customId: '4711' })
    expect(server.connections).toHaveLength(1)
  })

  test.each(squatters)('a server that %s gets only the question', async (_, prove) => {
    await using server = await startSessionServer(select, { prove, answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_UNPROVEN',
      pid: process.pid,
      shouldRetry: false,
      message: expect.stringMatching(/This is an incident: tell your administrator\.$/),
    })
    expect(await findWrappers({ brand: server.brand })).toEqual([])
    expect(server.methods()).toEqual([])
  })

  test('silence is waited for ten seconds, then the client gives up', async () => {
    const asked = Promise.withResolvers<void>()
    await using silent = await startSessionServer(select, { prove: () => asked.resolve() })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const failed = connectWrapper({ brand: silent.brand }).catch(error => error)
      await asked.promise
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await failed).toMatchObject({
        code: 'ERR_PIPE_TIMEOUT',
        wasSent: false,
        shouldRetry: true,
        waitedMs: 10_000,
      })
      expect(silent.methods()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('an end instead of the answer is asked again, then reported', async () => {
    const prove: Prove = ({ socket }) => socket.destroy()
    await using server = await startSessionServer(select, { prove })
    const failed = connectWrapper({ brand: server.brand, timeoutMs: 200 })
    // On a busy machine the time may be over within an attempt.
    const code = expect.stringMatching(/^ERR_PIPE_(CLOSED|TIMEOUT)$/)
    await expect(failed).rejects.toMatchObject({ code, wasSent: false, shouldRetry: true })
    expect(server.methods()).toEqual([])
  })

  test('the wait for the answer ends with the signal', async () => {
    const asked = Promise.withResolvers<void>()
    await using silent = await startSessionServer(select, { prove: () => asked.resolve() })
    const controller = new AbortController()
    const connecting = connectWrapper({ brand: silent.brand, signal: controller.signal })
    await asked.promise
    const reason = new Error('Never mind.')
    controller.abort(reason)
    await expect(connecting).rejects.toBe(reason)
  })

  test.skipIf(process.platform === 'darwin')(
    'of another desktop is left alone, and named in the error',
    async () => {
      vi.stubEnv('DISPLAY', ':1')
      try {
        await using server = await startSessionServer(select, { desktop: '77' })
        const { brand, pid } = server
        await expect(connectWrapper({ brand })).rejects.toMatchObject({
          code: 'ERR_PIPE_NOT_FOUND',
          otherDesktopPids: [pid],
        })
        expect(server.methods()).toEqual([])
        expect(await findWrappers({ brand })).toMatchObject([{ pid, desktop: '77' }])
      } finally {
        vi.unstubAllEnvs()
      }
    },
  )

  test('of several candidates only proven ones count', async () => {
    const brand = uniqueBrand()
    vi.stubEnv('DISPLAY', '')
    vi.stubEnv('WAYLAND_DISPLAY', '')
    try {
      // On Windows each process has a desktop.
      const on = (name: string) => ({ desktop: process.platform === 'win32' ? ownDesktop() : name })
      await using real = await startSessionServer(select, { brand, ...on(':9') })
      // The record of a killed wrapper. Another process has its id.
      using _left = publish(brand, { pid: process.ppid, ...on('other'), address: addressOf(brand, 1) })
      await using client = await connectWrapper({ brand })
      expect(client.wrapper.pid).toBe(real.pid)
      await using _second = await startSessionServer(select, { brand, pid: process.ppid, ...on('more') })
      await expect(connectWrapper({ brand })).rejects.toMatchObject({
        code: 'ERR_PIPE_AMBIGUOUS',
        pids: expect.arrayContaining([process.pid, process.ppid]),
      })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('the record of a wrapper', () => {
  test('of an ended process counts as none', async () => {
    const brand = uniqueBrand()
    using _left = publish(brand, { pid: deadPid(), address: addressOf(brand) })
    await expect(connectWrapper({ brand })).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' })
    expect(await findWrappers({ brand })).toEqual([])
  })

  test.each([
    ['is empty', ''],
    ['is no JSON', 'x'],
    ['has no key', '{"pid":1,"desktop":"","version":"3.0.0.0","address":"/x"}'],
    ['is longer than any', JSON.stringify({ x: 'x'.repeat(5000) })],
  ])('that %s counts as none', async (_, content) => {
    await using server = await startSessionServer(select)
    using left = publish(server.brand, { address: server.address })
    writeFileSync(left.file, content)
    expect(await findWrappers({ brand: server.brand })).toHaveLength(1)
  })

  test.skipIf(process.platform === 'win32').each<[string, (file: string) => void]>([
    ['that others may read', file => chmodSync(file, 0o644)],
    ['in a folder that others may enter', file => chmodSync(dirname(file), 0o755)],
    [
      'that is a link',
      file => {
        rmSync(file)
        symlinkSync('/dev/null', file)
      },
    ],
  ])('%s counts as none', async (_, spoil) => {
    const brand = uniqueBrand()
    using left = publish(brand, { address: addressOf(brand) })
    expect(lstatSync(left.file).mode & 0o777).toBe(0o600)
    spoil(left.file)
    await expect(connectWrapper({ brand })).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' })
  })

  test('is found in the given per-user folder', async () => {
    await using server = await startSessionServer(select)
    const userFolder = userFolderOf(server.brand)
    expect(await findWrappers({ userFolder })).toMatchObject([{ pid: server.pid }])
    await using client = await connectWrapper({ userFolder, pid: server.pid })
    expect(await client.selectPerson(person)).toEqual({ status: 'selected', userId: 5, customId: '4711' })
  })
})

test('the classic mode needs the process id of a running wrapper', async () => {
  for (const options of [{}, { pid: 1, startIfNeeded: true }])
    await expect(connectWrapper({ ...options, mode: 'classic' })).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
    })
})
