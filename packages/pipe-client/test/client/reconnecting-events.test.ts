import { describe, expect, test } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { uniqueBrand } from '../support/pipe-places.ts'
import { type SessionAnswer, startSessionServer, until } from '../support/session-server.ts'

const status = { loaded: true, signedin: true, person: { userid: 5, customid: '4711' } }
const answering: SessionAnswer = (connection, request) =>
  connection.reply(request, request.Method === 'status' ? status : null)
const restarted = { pid: process.ppid }
const done = { done: true, value: undefined }
const signedIn = { done: false, value: { type: 'signedin' } }

/** What the iteration tells of another wrapper. */
const reconnectedTo = (pid: number) => ({
  done: false,
  value: {
    type: 'reconnected',
    wrapper: expect.objectContaining({ pid }),
    status: { isLoaded: true, isSignedIn: true, person: { userId: 5, customId: '4711' } },
  },
})

/** A client that reads events, and its wrapper. */
async function reading(brand = uniqueBrand()) {
  const server = await startSessionServer(answering, { brand })
  const client = await connectWrapper({ brand })
  const controller = new AbortController()
  const events = client.events({ reconnect: true, signal: controller.signal })[Symbol.asyncIterator]()
  const next = events.next()
  next.catch(() => {})
  await until(() => expect(server.methods()).toEqual(['hello', 'subscribe']))
  return { brand, server, client, controller, events, next }
}

describe('events that reconnect', () => {
  test.each([
    ['breaks', () => {}],
    ['is closed by a wrapper that exits', tell => tell('closing')],
  ] as [string, (tell: (event: string) => void) => void][])(
    'go on with the next wrapper after the connection %s, and say so',
    async (_, leave) => {
      const { brand, server: old, client, events, next } = await reading()
      old.first.tell('signedin')
      expect(await next).toEqual(signedIn)
      leave(old.first.tell)
      if (leave.length > 0) expect(await events.next()).toEqual({ done: false, value: { type: 'closing' } })
      const [again, later] = [events.next(), events.next()]
      await old[Symbol.asyncDispose]()
      await using server = await startSessionServer(answering, { brand, ...restarted })
      expect(await again).toEqual(reconnectedTo(process.ppid))
      expect(server.methods()).toEqual(['hello', 'subscribe', 'status'])
      server.first.tell('signedin')
      expect(await later).toEqual(signedIn)
      await client.disconnect()
      expect(await events.next()).toEqual(done)
    },
  )

  test('use the connection that a call has made meanwhile', async () => {
    const { brand, server: old, client, next } = await reading()
    await old[Symbol.asyncDispose]()
    await using server = await startSessionServer(answering, { brand, ...restarted })
    await until(() => client.hide())
    expect(await next).toEqual(reconnectedTo(process.ppid))
    expect(server.connections).toHaveLength(1)
    await client.disconnect()
  })

  test('try again while the next wrapper drops them or is busy', async () => {
    const { brand, server: old, client, next } = await reading()
    await old[Symbol.asyncDispose]()
    const trouble = ['drop', 'busy']
    await using server = await startSessionServer(
      (connection, request) => {
        const kind = request.Method === 'status' && trouble.shift()
        if (kind === 'drop') connection.socket.destroy()
        else if (kind === 'busy') connection.fail(request, 'ERR_BUSY')
        else answering(connection, request)
      },
      { brand, ...restarted },
    )
    expect(await next).toEqual(reconnectedTo(process.ppid))
    expect(server.methods().filter(name => name === 'status')).toHaveLength(3)
    await client.disconnect()
  })

  test('end while they wait: by the signal, by leaving the loop and by disconnecting', async () => {
    const reason = new Error('Never mind.')
    for (const [end, outcome] of [
      [({ controller }) => controller.abort(reason), reason],
      [({ events }) => void events.return?.(), done],
      [({ client }) => void client.disconnect(), done],
    ] as [(given: Awaited<ReturnType<typeof reading>>) => void, unknown][]) {
      const given = await reading()
      await given.server[Symbol.asyncDispose]()
      await until(() => expect(given.client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' }))
      end(given)
      expect(await given.next.catch(error => error)).toEqual(outcome)
      expect(await given.events.next()).toEqual(done)
      await given.client.disconnect()
    }
  })

  test('fail when the process of the given id has ended, or the next wrapper is too old', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(answering, { brand })
    await using client = await connectWrapper({ brand, pid: old.pid, timeoutMs: 300 })
    const next = client.events({ reconnect: true })[Symbol.asyncIterator]().next()
    await until(() => expect(old.methods()).toContain('subscribe'))
    await old[Symbol.asyncDispose]()
    await expect(next).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND', pid: old.pid })

    const given = await reading()
    await given.server[Symbol.asyncDispose]()
    await using _ = await startSessionServer(answering, { brand: given.brand, hello: { version: '1.0.0.0' } })
    await expect(given.next).rejects.toMatchObject({ code: 'ERR_PIPE_TOO_OLD' })
    await given.client.disconnect()
  })

  test('leave it to a call to start a wrapper', async () => {
    const brand = uniqueBrand()
    const old = await startSessionServer(answering, { brand })
    // None is installed.
    await using client = await connectWrapper({ brand, startIfNeeded: true })
    const next = client.events({ reconnect: true })[Symbol.asyncIterator]().next()
    await until(() => expect(old.methods()).toContain('subscribe'))
    await old[Symbol.asyncDispose]()
    await until(() => expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_INSTALLED' }))
    await using _ = await startSessionServer(answering, { brand, ...restarted })
    expect(await next).toEqual(reconnectedTo(process.ppid))
  })

  test('are refused for a client that does not reconnect', async () => {
    await using server = await startSessionServer(answering)
    await using client = await connectWrapper({ brand: server.brand, reconnect: false })
    expect(() => client.events({ reconnect: true })).toThrow(
      'The parameter options.reconnect must be false for a client that was connected with reconnect: false.',
    )
    expect(() => client.events(JSON.parse('{"reconnect":"yes"}'))).toThrow('must be true or false')
  })
})
