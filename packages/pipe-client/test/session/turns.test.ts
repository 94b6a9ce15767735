import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { gone, type SessionAnswer, startSessionServer } from '../support/session-server.ts'

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 })
const status = { loaded: true, signedin: false, person: null }

/** Answers methods that a wrapper answers at once, and no command. */
const busy: SessionAnswer = (connection, request) => {
  if (request.Method === 'status') connection.reply(request, status)
  else if (request.Method === 'version') connection.reply(request, '3.0.0.0')
  else if (request.Method === 'close') connection.reply(request)
}

afterEach(() => void vi.useRealTimers())

describe('a wrapper with its maximum of commands', () => {
  test('still gets requests that it answers at once', async () => {
    await using server = await startSessionServer(busy)
    await using client = await connectWrapper({ brand: server.brand, maxInFlight: 1 })
    const commands = [client.hide(), client.show()].map(call => call.catch(error => error.code))
    await until(() => expect(server.methods()).toEqual(['hello', 'hide']))
    expect(await client.status()).toEqual({ isLoaded: true, isSignedIn: false })
    expect(await client.version()).toBe('3.0.0.0')
    const events = client.events()[Symbol.asyncIterator]()
    const reading = events.next()
    await until(() => expect(server.methods()).toContain('subscribe'))
    server.first.tell('signedin')
    expect(await reading).toEqual({ done: false, value: { type: 'signedin' } })
    await client.close()
    expect(server.methods()).toEqual(['hello', 'hide', 'status', 'version', 'subscribe', 'close'])
    await events.return?.()
    await client.disconnect()
    expect(await Promise.all(commands)).toEqual(['ERR_PIPE_CLOSED', 'ERR_PIPE_CLOSED'])
  })

  test('gets these requests in the order of the calls, while there is room', async () => {
    await using server = await startSessionServer((connection, request) => {
      if (request.Method === 'version') busy(connection, request)
      else connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    await Promise.all([client.hide(), client.version(), client.show(), client.version()])
    expect(server.methods()).toEqual(['hello', 'hide', 'version', 'show', 'version'])
  })

  test('is left after ten seconds of abandoned calls, and the next call reconnects', async () => {
    await using server = await startSessionServer((connection, request) => {
      if (server.connections.length > 1) connection.reply(request)
      else busy(connection, request)
    })
    // The ten seconds begin when the second call is given up.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    await using client = await connectWrapper({ brand: server.brand, maxInFlight: 2 })
    const givenUp = [client.hide({ timeoutMs: 5_000 }), client.hide({ timeoutMs: 5_000 })].map(call =>
      expect(call).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT', wasSent: true }),
    )
    const waiting = client.show().catch(error => error)
    await until(() => expect(server.methods()).toEqual(['hello', 'hide', 'hide']))
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(givenUp)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await gone(server.first)
    expect(await waiting).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false, shouldRetry: true })
    await client.show()
    expect(server.connections.map(({ requests }) => requests.map(({ Method }) => Method))).toEqual([
      ['hello', 'hide', 'hide', 'cancel', 'cancel'],
      ['hello', 'show'],
    ])
  })
})
