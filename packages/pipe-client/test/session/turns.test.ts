import { describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { PendingCalls } from '../../src/session/pending-calls.ts'
import { type SessionAnswer, startSessionServer, until } from '../support/session-server.ts'

const status = { loaded: true, signedin: false, person: null }

/** Answers methods that a wrapper answers at once, and no command. */
const busy: SessionAnswer = (connection, request) => {
  if (request.Method === 'status') connection.reply(request, status)
  else if (request.Method === 'version') connection.reply(request, '3.0.0.0')
  else if (request.Method === 'close') connection.reply(request)
}

test('calls of one turn travel in one write, without a timer, and each reply is parsed once', async () => {
  await using server = await startSessionServer(busy)
  await using client = await connectWrapper({ brand: server.brand })
  const piecesBefore = server.first.pieces.length
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const parse = vi.spyOn(JSON, 'parse')
  const removeDue = vi.spyOn(PendingCalls.prototype, 'removeDue')
  try {
    const calls = Array.from({ length: 60 }, () => client.version())
    // The timer of the greeting ends before theirs.
    expect(timers).not.toHaveBeenCalled()
    await Promise.all(calls)
    expect(server.first.pieces.length - piecesBefore).toBe(1)
    expect(removeDue).toHaveBeenCalledOnce()
    expect(parse.mock.calls.filter(([text]) => text.includes('"Result"'))).toHaveLength(60)
  } finally {
    vi.restoreAllMocks()
  }
})

describe('a wrapper with its maximum of commands', () => {
  test('still gets requests that it answers at once', async () => {
    await using server = await startSessionServer(busy, { hello: { maxinflight: 1 } })
    await using client = await connectWrapper({ brand: server.brand })
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
})
