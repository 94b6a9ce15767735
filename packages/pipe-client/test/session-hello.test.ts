import { describe, expect, test } from 'vitest'
import { connectWrapper } from '../src/index.ts'
import { reply, startServer, uniqueBrand } from './_classic-server.ts'
import { type SessionAnswer, startSessionServer } from './_session-server.ts'

/** Answers `hello` in some way, and the rest as a wrapper that has the classic mode alone. */
const refusals: [string, SessionAnswer][] = [
  [
    'a classic failure',
    ({ socket }) => reply(socket, '{"error":"There is no such command.","code":"ERR_METHOD"}'),
  ],
  ['a classic failure without a code', ({ socket }) => reply(socket, '{"error":"Unknown method"}')],
  ['a failure in session mode', (connection, request) => connection.fail(request, 'ERR_METHOD')],
  ['a failure without an id', connection => connection.send('{"Id":null,"Error":{"Code":"ERR_JSON"}}')],
  ['a text', ({ socket }) => reply(socket, 'Unknown method')],
  ['a text in quotes', ({ socket }) => reply(socket, '"Unknown method"')],
  ['an empty object', ({ socket }) => reply(socket, '{}')],
  ['an array', ({ socket }) => reply(socket, '[]')],
  ['bytes that are no frame', ({ socket }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['an end', ({ socket }) => socket.end()],
  ['a reset', ({ socket }) => socket.destroy()],
  ['another protocol', (connection, request) => connection.reply(request, { ...hello, protocol: 2 })],
  ['a result of another shape', (connection, request) => connection.reply(request, { ...hello, pid: 'x' })],
  ['nothing for a result', (connection, request) => connection.reply(request)],
  ['a reply to another id', connection => connection.send('{"Id":7,"Result":null}')],
]

const hello = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }

describe('a wrapper that answers hello with', () => {
  test.each(refusals)('%s is commanded in classic mode', async (_, refuse) => {
    await using server = await startSessionServer(
      (connection, request) => {
        if (request.Method === 'hello') refuse(connection, request)
        else if (request.Method === 'version') reply(connection.socket, '2.9.0.0')
        else connection.socket.end()
      },
      { answersAll: true },
    )
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('classic')
    await client.hide()
    expect(server.methods()).toEqual(['hello', 'version', 'hide'])
    expect(server.connections.at(-1)?.requests).toEqual([{ Method: 'hide' }])
  })

  test('silence is commanded in classic mode, after five seconds', async () => {
    await using server = await startSessionServer(
      ({ socket }, { Method }) => {
        if (Method === 'version') reply(socket, '2.9.0.0')
      },
      { answersAll: true },
    )
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('classic')
    expect(server.methods()).toEqual(['hello', 'version'])
  })

  test('silence takes no longer than the time-out', async () => {
    await using server = await startSessionServer(() => {}, { answersAll: true })
    const failure = connectWrapper({ brand: server.brand, timeoutMs: 1_000 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      waitedMs: 1_000,
      wasSent: false,
      shouldRetry: true,
    })
    expect(server.methods()).not.toContain('version')
  })

  test('silence can be given up', async () => {
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    await using server = await startSessionServer(() => controller.abort(reason), { answersAll: true })
    const failure = connectWrapper({ brand: server.brand, signal: controller.signal })
    await expect(failure).rejects.toBe(reason)
  })

  test.each(['ERR_BUSY', 'ERR_CLOSING'])('%s has the session mode, and is to be asked later', async code => {
    await using classic = await startServer(socket => reply(socket, `{"error":"Later.","code":"${code}"}`))
    await using session = await startSessionServer((connection, request) => connection.fail(request, code), {
      answersAll: true,
    })
    for (const { brand } of [classic, session])
      await expect(connectWrapper({ brand })).rejects.toMatchObject({
        code: 'ERR_PIPE_REFUSED',
        commandCode: code,
        shouldRetry: code === 'ERR_BUSY',
      })
    expect(classic.requests).toHaveLength(1)
  })

  test('the id of another process is denied, and no command is sent to it', async () => {
    await using server = await startSessionServer(() => {}, { hello: { pid: 1 } })
    const { brand } = server
    await expect(connectWrapper({ brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      shouldRetry: false,
      message: expect.stringMatching(`^Process 1 answers on the pipe of process ${process.pid}:`),
    })
    expect(server.methods()).toEqual(['hello'])
  })

  test('[8-minimum-version] a version that is too old is refused', async () => {
    await using server = await startSessionServer(() => {}, { hello: { version: '2.1.4.19786' } })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_TOO_OLD',
      wrapperVersion: '2.1.4.19786',
    })
  })

  test('[9-version-parts] a version that is not four numbers is refused', async () => {
    await using server = await startSessionServer(() => {}, { hello: { version: 'three' } })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({ code: 'ERR_PIPE_REPLY' })
  })
})

describe('a client in classic mode', () => {
  test('is what was asked for: hello is not said', async () => {
    await using server = await startServer((socket, { Method }) => {
      if (Method === 'version') reply(socket, '3.0.0.0')
      else socket.end()
    })
    await using client = await connectWrapper({ brand: server.brand, mode: 'classic' })
    expect(client.mode).toBe('classic')
    await client.hide()
    expect(server.requests.map(({ Method }) => Method)).toEqual(['version', 'hide'])
  })

  test('says what needs the session mode, and sends nothing', async () => {
    await using server = await startServer(socket => reply(socket, '3.0.0.0'))
    await using client = await connectWrapper({ brand: server.brand, mode: 'classic' })
    const next = () => client.events()[Symbol.asyncIterator]().next()
    for (const call of [
      () => client.status(),
      () => client.queryExercises('x'),
      () => client.queryWorkouts('x'),
      next,
    ])
      await expect(call()).rejects.toMatchObject({ code: 'ERR_PIPE_UNSUPPORTED', shouldRetry: false })
    expect(server.requests).toHaveLength(1)
  })

  test('has a bounded number of connections, and its calls wait in order', async () => {
    let open = 0
    let most = 0
    await using server = await startServer((socket, { Method }) => {
      if (Method === 'version') return reply(socket, '3.0.0.0')
      most = Math.max(most, ++open)
      setImmediate(() => {
        open--
        socket.end()
      })
    })
    await using client = await connectWrapper({ brand: server.brand, mode: 'classic', maxInFlight: 1 })
    await Promise.all(Array.from({ length: 30 }, (_, id) => client.openWorkout(id)))
    expect(most).toBe(1)
    const ids = server.requests.slice(1).map(({ Args }) => Args?.id)
    expect(ids).toEqual(Array.from({ length: 30 }, (_, id) => id))
  })

  test('does not send a call that is aborted, or whose time is over, while it waits', async () => {
    await using server = await startServer((socket, { Method }) => {
      if (Method === 'version') reply(socket, '3.0.0.0')
    })
    await using client = await connectWrapper({ brand: server.brand, mode: 'classic', maxInFlight: 1 })
    const reason = new Error('Never mind.')
    const controller = new AbortController()
    const holding = client.hide().catch(error => error)
    const aborted = client.show({ signal: controller.signal })
    const late = client.show({ timeoutMs: 30 })
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await expect(late).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      wasSent: false,
      shouldRetry: true,
      message: expect.stringContaining('its turn did not come'),
    })
    const waiting = client.show().catch(error => error)
    await client.disconnect()
    expect(await holding).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: true })
    expect(await waiting).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false })
    expect(server.requests.map(({ Method }) => Method)).not.toContain('show')
    await expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED' })
  })

  test('gives a call up between two attempts to connect', async () => {
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    const failure = connectWrapper({
      brand: uniqueBrand(),
      pid: process.pid,
      mode: 'classic',
      signal: controller.signal,
    })
    queueMicrotask(() => controller.abort(reason))
    await expect(failure).rejects.toBe(reason)
  })
})
