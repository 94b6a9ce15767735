import { describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { reply, startServer, withVersion } from '../support/classic-server.ts'
import { type SessionAnswer, startSessionServer } from '../support/session-server.ts'

/** Answers `hello` unlike a wrapper. */
const refusals: [string, string, SessionAnswer][] = [
  [
    'a classic failure',
    'ERR_PIPE_REFUSED',
    ({ socket }) => reply(socket, '{"error":"There is no such command.","code":"ERR_METHOD"}'),
  ],
  [
    'a failure in session mode',
    'ERR_PIPE_UNSUPPORTED',
    (connection, request) => connection.fail(request, 'ERR_METHOD'),
  ],
  ['a text', 'ERR_PIPE_REPLY', ({ socket }) => reply(socket, 'Unknown method')],
  ['an end', 'ERR_PIPE_CLOSED', ({ socket }) => socket.end()],
  ['a reset', 'ERR_PIPE_CLOSED', ({ socket }) => socket.destroy()],
  [
    'another protocol',
    'ERR_PIPE_UNSUPPORTED',
    (connection, request) => connection.reply(request, { ...hello, protocol: 2 }),
  ],
  [
    'a result of another shape',
    'ERR_PIPE_REPLY',
    (connection, request) => connection.reply(request, { ...hello, pid: 'x' }),
  ],
]

const hello = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }

describe('a wrapper that answers hello with', () => {
  test.each(refusals)('%s counts as %s, and gets no command', async (_, code, refuse) => {
    await using server = await startSessionServer(refuse, { answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({ code })
    expect(server.methods()).toEqual(['hello'])
  })

  test('silence ends by the time-out', async () => {
    await using server = await startSessionServer(() => {}, { answersAll: true })
    const failure = connectWrapper({ brand: server.brand, timeoutMs: 300 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      waitedMs: 300,
      wasSent: false,
      shouldRetry: true,
    })
    expect(server.methods()).not.toContain('version')
  })

  test('silence ends by the signal', async () => {
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    await using server = await startSessionServer(() => controller.abort(reason), { answersAll: true })
    const failure = connectWrapper({ brand: server.brand, signal: controller.signal })
    await expect(failure).rejects.toBe(reason)
  })

  test.each(['ERR_BUSY', 'ERR_CLOSING'])('%s has the session mode, and may be asked later', async code => {
    await using session = await startSessionServer((connection, request) => connection.fail(request, code), {
      answersAll: true,
    })
    await expect(connectWrapper({ brand: session.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_REFUSED',
      commandCode: code,
      shouldRetry: code === 'ERR_BUSY',
    })
  })
})

describe('a client in classic mode', () => {
  test('names the calls that need the session mode, and sends nothing', async () => {
    await using server = await startServer(socket => reply(socket, '3.0.0.0'))
    await using client = await connectWrapper({ brand: server.brand, pid: server.pid, mode: 'classic' })
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

  test('ends its calls when it disconnects', async () => {
    await using server = await startServer((socket, { Method }) => {
      if (Method === 'version') reply(socket, '3.0.0.0')
    })
    await using client = await connectWrapper({ brand: server.brand, pid: server.pid, mode: 'classic' })
    const holding = client.hide().catch(error => error)
    await vi.waitFor(() => expect(server.requests).toHaveLength(2), { timeout: 60_000, interval: 1 })
    await client.disconnect()
    expect(await holding).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: true })
    await expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED' })
  })
})

test('of a wrapper that does not know the ends, the error says that it is too old for them', async () => {
  await using server = await startServer(
    withVersion(socket => reply(socket, '{"error":"There is no such command.","code":"ERR_METHOD"}')),
  )
  await using client = await connectWrapper({ brand: server.brand })
  await expect(client.clearPerson({ customId: '4711' })).rejects.toMatchObject({
    code: 'ERR_PIPE_UNSUPPORTED',
    shouldRetry: false,
    message: expect.stringMatching(/^clearperson is not known to this wrapper.* version 3\.0\.0\.0 or newer/),
  })
  expect(server.requests.at(-1)).toMatchObject({ Method: 'clearperson' })
})

test('the browser of the answer counts before that of the record', async () => {
  await using server = await startSessionServer(
    (connection, request) => connection.reply(request, { ...hello, browserpid: 4712 }),
    { answersAll: true },
  )
  await using client = await connectWrapper({ brand: server.brand })
  expect(client.wrapper).toMatchObject({ pid: process.pid, browserPid: 4712 })
})
