import { spawn } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { ownDesktop } from '../../src/running/own-desktop.ts'
import { reply } from '../support/classic-server.ts'
import { uniqueBrand } from '../support/pipe-places.ts'
import {
  gone,
  type ServedConnection,
  type SessionAnswer,
  startSessionServer,
  until,
} from '../support/session-server.ts'

const answering: SessionAnswer = (connection, request) =>
  connection.reply(request, request.Method === 'version' ? '3.0.0.1' : null)
const isWindows = process.platform === 'win32'
const restarted = { pid: process.ppid }

describe('a client whose wrapper has restarted', () => {
  test('connects to it on the next call, and says hello again', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(answering, { brand })
    await using client = await connectWrapper({ brand })
    expect(client.wrapper.pid).toBe(process.pid)
    await old[Symbol.asyncDispose]()
    await using server = await startSessionServer(answering, { brand, ...restarted })
    await until(async () => expect(await client.version()).toBe('3.0.0.1'))
    expect(client.wrapper).toMatchObject({ pid: process.ppid, address: server.address })
    expect(server.methods()).toEqual(['hello', 'version'])
  })

  test('never sends a request again', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(() => {}, { brand })
    await using client = await connectWrapper({ brand })
    const call = client.openWorkout(1).catch(error => error)
    await until(() => expect(old.methods()).toEqual(['hello', 'openworkout']))
    await old[Symbol.asyncDispose]()
    await using server = await startSessionServer(answering, { brand, ...restarted })
    expect(await call).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: true, shouldRetry: false })
    await client.openWorkout(2)
    expect(server.first.requests.map(({ Args }) => Args)).toEqual([undefined, { id: 2 }])
  })

  test('connects once for all waiting calls, and keeps their order', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(answering, { brand })
    await using client = await connectWrapper({ brand })
    old.first.socket.destroy()
    await old[Symbol.asyncDispose]()
    await using server = await startSessionServer(answering, { brand, ...restarted })
    await until(async () => await client.version())
    server.first.socket.destroy()
    await gone(server.first)
    await until(() => expect(client.version()).resolves.toBe('3.0.0.1'))
    expect(server.connections).toHaveLength(2)
    server.connections[1]?.socket.destroy()
    await until(() =>
      client.hide({ timeoutMs: 1 }).catch(error => expect(error.code).toBe('ERR_PIPE_TIMEOUT')),
    )
    const ids = Array.from({ length: 20 }, (_, id) => id)
    await Promise.all(ids.map(id => client.openWorkout(id)))
    const last = server.connections.at(-1)?.requests.filter(({ Method }) => Method === 'openworkout')
    expect(last?.map(({ Args }) => Args?.id)).toEqual(ids)
  })

  test('fails when several wrappers or none run', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(answering, { brand })
    await using client = await connectWrapper({ brand })
    await old[Symbol.asyncDispose]()
    await until(() => expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' }))
    await using tooOld = await startSessionServer(answering, { brand, hello: { version: '1.0.0.0' } })
    await expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_TOO_OLD' })
    expect(tooOld.methods()).not.toContain('hide')
  })

  test('with a process id takes no other', async () => {
    const brand = uniqueBrand()
    const pid = process.ppid
    const old = await startSessionServer(answering, { brand, pid })
    await using client = await connectWrapper({ brand, pid, timeoutMs: 500 })
    await old[Symbol.asyncDispose]()
    await using other = await startSessionServer(answering, { brand })
    await until(() =>
      expect(client.hide({ timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND', pid }),
    )
    expect(other.methods()).toEqual([])
    await using again = await startSessionServer(answering, { brand, pid })
    await client.hide({ timeoutMs: 60_000 })
    expect(again.methods()).toEqual(['hello', 'hide'])
  })

  const desktops: [string, string][] = [
    [':1', ':2'],
    [':1', ''],
    ['', ':2'],
  ]
  // On Windows this process has a desktop of its own, on which it would start a wrapper.
  const onWindows: [string, string][] = [
    [ownDesktop(), '77'],
    ['', '77'],
  ]
  test.each(isWindows ? onWindows : desktops)(
    'keeps the desktop of the first, %j, and neither takes nor starts one in %j',
    async (desktop, other) => {
      const brand = uniqueBrand()
      const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      const [one = 0, another, again] = [idle.pid, process.ppid, process.pid]
      vi.stubEnv('DISPLAY', '')
      vi.stubEnv('WAYLAND_DISPLAY', '')
      try {
        const old = await startSessionServer(answering, { brand, pid: one, desktop })
        // None is installed, so a start would fail.
        await using client = await connectWrapper({ brand, startIfNeeded: !isWindows && desktop !== '' })
        await old[Symbol.asyncDispose]()
        await using elsewhere = await startSessionServer(answering, { brand, pid: another, desktop: other })
        await until(() =>
          expect(client.hide()).rejects.toMatchObject({
            code: 'ERR_PIPE_NOT_FOUND',
            otherDesktopPids: [another],
          }),
        )
        expect(elsewhere.methods()).toEqual([])
        await using server = await startSessionServer(answering, { brand, pid: again, desktop })
        await client.hide()
        expect(server.methods()).toEqual(['hello', 'hide'])
      } finally {
        vi.unstubAllEnvs()
        idle.kill()
      }
    },
  )

  test('does not reconnect when told not to', async () => {
    await using server = await startSessionServer(answering)
    await using client = await connectWrapper({ brand: server.brand, reconnect: false })
    server.first.socket.destroy()
    await until(() =>
      expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false }),
    )
    await expect(client.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
    })
    expect(server.connections).toHaveLength(1)
  })

  test('resumes its events', async () => {
    await using server = await startSessionServer((connection, request) => {
      connection.tell('signedin')
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const lost = client.events()[Symbol.asyncIterator]()
    const losing = lost.next()
    server.first.socket.destroy()
    await expect(losing).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED' })
    const events = client.events()[Symbol.asyncIterator]()
    const reading = events.next()
    await client.hide()
    expect(await reading).toEqual({ done: false, value: { type: 'signedin' } })
    expect(server.connections[1]?.requests.map(({ Method }) => Method)).toEqual([
      'hello',
      'subscribe',
      'hide',
    ])
    await events.return?.()
  })
})

describe('a call that reconnects', () => {
  /** A client that lost its wrapper. The process runs on without a pipe. */
  async function lostClient() {
    const server = await startSessionServer(answering)
    const client = await connectWrapper({ brand: server.brand, pid: server.pid })
    const end = client
      .events()
      [Symbol.asyncIterator]()
      .next()
      .catch(error => error)
    await server[Symbol.asyncDispose]()
    expect(await end).toMatchObject({ code: 'ERR_PIPE_CLOSED' })
    return { client, brand: server.brand }
  }

  test('can be aborted, and others continue', async () => {
    const { client, brand } = await lostClient()
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    const aborted = client.hide({ signal: controller.signal })
    const patient = client.version()
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await expect(client.hide({ signal: controller.signal })).rejects.toBe(reason)
    await using _server = await startSessionServer(answering, { brand })
    expect(await patient).toBe('3.0.0.1')
    await client.disconnect()
  })

  test('was not sent, for any result of the questions before it', async () => {
    const brand = uniqueBrand()
    const pid = process.ppid
    const old = await startSessionServer(answering, { brand, pid })
    await using client = await connectWrapper({ brand, pid })
    await old[Symbol.asyncDispose]()
    for (const misbehave of [
      ({ socket }: ServedConnection) => socket.end(),
      ({ socket }: ServedConnection) => socket.write('garbage!'),
      ({ socket }: ServedConnection) => reply(socket, 'three'),
    ]) {
      await using _server = await startSessionServer(misbehave, { brand, pid, answersAll: true })
      await until(() =>
        expect(client.selectPerson({ customId: '1', firstname: 'A', lastname: 'B' })).rejects.toMatchObject({
          code: expect.stringMatching(/^ERR_PIPE_(CLOSED|REPLY)$/),
          wasSent: false,
        }),
      )
    }
  })

  test('that gives up leaves the attempt running for the next call', async () => {
    const { client, brand } = await lostClient()
    await expect(client.hide({ timeoutMs: 20 })).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT' })
    await using server = await startSessionServer(answering, { brand })
    // No call follows.
    await until(() => expect(server.methods()).toEqual(['hello']))
    expect(await client.version()).toBe('3.0.0.1')
    expect(server.methods()).toEqual(['hello', 'version'])
    expect(server.connections).toHaveLength(1)
    await client.disconnect()
  })

  test('ends when the client disconnects', async () => {
    const { client } = await lostClient()
    const call = client.hide().catch(error => error)
    const events = client.events()[Symbol.asyncIterator]().next()
    await client.disconnect()
    expect(await call).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false, shouldRetry: false })
    expect(await events).toEqual({ done: true, value: undefined })
  })

  test('for events ends when the iteration is left', async () => {
    const { client } = await lostClient()
    const events = client.events()[Symbol.asyncIterator]()
    const reading = events.next()
    await events.return?.()
    expect(await reading).toEqual({ done: true, value: undefined })
    await client.disconnect()
  })
})
