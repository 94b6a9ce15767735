import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../src/index.ts'
import { reply } from './_classic-server.ts'
import { type SessionAnswer, type SessionServerOptions, startSessionServer } from './_session-server.ts'

afterEach(() => void vi.restoreAllMocks())

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 })
const all: SessionServerOptions = { answersAll: true }

/** A wrapper with both modes, which answers `hello` only when it is told to; otherwise it ends the connection, as when it is lost. */
function slow(state: { answersHello: boolean }, onHello: SessionAnswer = ({ socket }) => socket.end()) {
  const answer: SessionAnswer = (connection, request) => {
    const { Method, Id, Args } = request
    if (Method === 'hello' && !state.answersHello) onHello(connection, request)
    else if (Method === 'hello')
      connection.reply(request, { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] })
    else if (Id === undefined)
      Method === 'version' ? reply(connection.socket, '3.0.0.0') : connection.socket.end()
    else if (Method === 'status') connection.reply(request, { loaded: true, signedin: true, person: null })
    else if (Method === 'subscribe') {
      connection.reply(request, { events: Args?.events })
      connection.tell('closing')
    } else connection.reply(request)
  }
  return startSessionServer(answer, all)
}

const helloCount = (methods: readonly string[]) => methods.filter(name => name === 'hello').length
const unanswered = {
  code: 'ERR_PIPE_UNSUPPORTED',
  shouldRetry: true,
  message: expect.stringContaining('without an answer'),
}

describe('a wrapper that did not answer the question for the session mode', () => {
  test('is asked again, once, by calls that need it, and has it from then on', async () => {
    const state = { answersHello: false }
    await using server = await slow(state)
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('classic')
    await client.hide()
    expect(server.methods()).toEqual(['hello', 'version', 'hide'])
    state.answersHello = true
    const calls = [client.status(), client.queryExercises('x'), client.queryWorkouts('y')]
    expect(await calls[0]).toEqual({ isLoaded: true, isSignedIn: true })
    await Promise.all(calls)
    expect(client.mode).toBe('session')
    await client.show()
    expect(server.connections.at(-1)?.requests.map(({ Method }) => Method)).toEqual([
      'hello',
      'status',
      'queryexercises',
      'queryworkouts',
      'show',
    ])
    await server.connections.at(-1)?.socket.destroy()
    await until(() => expect(client.status()).resolves.toMatchObject({ isLoaded: true }))
  })

  test('has no command overtaken when it has it: later ones wait for those of the classic mode', async () => {
    const seen: string[] = []
    const held: (() => void)[] = []
    let isHolding = true
    let helloCount = 0
    const ready = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }
    await using server = await startSessionServer((connection, request) => {
      const { Method, Id, Args } = request
      const { socket } = connection
      if (Method === 'hello') ++helloCount === 1 ? socket.end() : connection.reply(request, ready)
      else if (Id === undefined && Method === 'version') reply(socket, '3.0.0.0')
      else if (Method === 'status') connection.reply(request, { loaded: true, signedin: true, person: null })
      else {
        seen.push(`${Id === undefined ? 'classic' : 'session'} ${Args?.id ?? Args?.text}`)
        const answer = () => (Id === undefined ? socket.end() : connection.reply(request))
        isHolding ? held.push(answer) : answer()
      }
    }, all)
    await using client = await connectWrapper({ brand: server.brand, maxInFlight: 1 })
    const timeoutMs = Number.POSITIVE_INFINITY
    const calls = [0, 1, 2].map(id => client.openWorkout(id, { timeoutMs }))
    await client.status()
    expect(client.mode).toBe('session')
    calls.push(client.queryExercises('x', { timeoutMs }))
    const impatient = client.hide({ timeoutMs: 20 })
    const notSent = { code: 'ERR_PIPE_TIMEOUT', wasSent: false, shouldRetry: true }
    await expect(impatient).rejects.toMatchObject(notSent)
    await client.status()
    const last = calls[2]?.then(() => client.openWorkout(4))
    calls.push(client.openWorkout(3))
    await until(() => expect(seen).toEqual(['classic 0']))
    isHolding = false
    for (const answer of held) answer()
    await Promise.all([...calls, last])
    await client.openWorkout(5)
    expect(seen).toEqual([
      ...['classic 0', 'classic 1', 'classic 2'],
      ...['session x', 'session 3', 'session 4', 'session 5'],
    ])
  })

  test('is asked again by an iteration of events', async () => {
    const state = { answersHello: false }
    await using server = await slow(state)
    await using client = await connectWrapper({ brand: server.brand })
    state.answersHello = true
    const read: unknown[] = []
    for await (const event of client.events()) read.push(event)
    expect(read).toEqual([{ type: 'closing' }])
    expect(client.mode).toBe('session')
  })

  test('is not asked again within half a minute when it does not answer the second time either', async () => {
    const state = { answersHello: false }
    await using server = await slow(state)
    await using client = await connectWrapper({ brand: server.brand })
    await expect(client.status()).rejects.toMatchObject(unanswered)
    expect(helloCount(server.methods())).toBe(2)
    state.answersHello = true
    await expect(client.status()).rejects.toMatchObject(unanswered)
    await client.hide()
    expect(helloCount(server.methods())).toBe(2)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000)
    expect(await client.status()).toMatchObject({ isLoaded: true })
  })

  test('is not asked by what was given up before it was called', async () => {
    const state = { answersHello: false }
    await using server = await slow(state)
    await using client = await connectWrapper({ brand: server.brand })
    const signal = AbortSignal.abort(new Error('Never mind.'))
    await expect(client.status({ signal })).rejects.toBe(signal.reason)
    await expect(client.events({ signal })[Symbol.asyncIterator]().next()).rejects.toBe(signal.reason)
    await client.hide()
    expect(server.methods()).toEqual(['hello', 'version', 'hide'])
  })

  test('is not asked again once it has answered otherwise', async () => {
    let refuse: SessionAnswer = ({ socket }) => socket.end()
    await using server = await slow({ answersHello: false }, (connection, request) =>
      refuse(connection, request),
    )
    await using client = await connectWrapper({ brand: server.brand })
    refuse = (connection, request) => connection.fail(request, 'ERR_METHOD')
    for (let count = 0; count < 3; count++)
      await expect(client.status()).rejects.toMatchObject({
        code: 'ERR_PIPE_UNSUPPORTED',
        shouldRetry: false,
        message: expect.stringMatching(/^status .*which it has not/),
      })
    expect(helloCount(server.methods())).toBe(2)
  })

  test('is asked no longer when the client disconnects: calls reject, iterations end', async () => {
    let isFirst = true
    await using server = await slow({ answersHello: false }, ({ socket }) => {
      if (isFirst) socket.end()
      isFirst = false
    })
    const client = await connectWrapper({ brand: server.brand })
    const status = client.status().catch(error => error)
    const reading = client.events()[Symbol.asyncIterator]().next()
    await until(() => expect(helloCount(server.methods())).toBe(2))
    await client.disconnect()
    expect(await status).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false, shouldRetry: false })
    expect(await reading).toEqual({ done: true, value: undefined })
  })
})
