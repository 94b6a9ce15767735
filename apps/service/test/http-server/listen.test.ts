import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../../src/http-server/listen.ts'
import '../support/localhost.ts'

// An address that no other test uses: another process could take a closed port at once.
const host = process.platform === 'linux' ? '127.0.78.1' : '127.0.0.1'

/** A server whose only answer waits for the test. */
async function startSlow() {
  const listening = await listen({ host, port: 0 })
  const came = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  listening.answer(async request => {
    if (new URL(request.url).pathname === '/quick') return new Response('quick')
    came.resolve()
    await go.promise
    return new Response('done')
  })
  return { ...listening, came: came.promise, go: go.resolve }
}

async function ask(port: number, path: string, agent: Agent): Promise<IncomingMessage> {
  const request = get({ host, port, path, agent })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.once('response', resolve).once('error', reject)
  return promise
}

test('a running request gets its answer, then its connection ends', async () => {
  const server = await startSlow()
  const agent = new Agent({ keepAlive: true })
  const answer = ask(server.port, '/', agent)
  await server.came
  const closed = server.close()
  server.go()
  const { statusCode, headers } = await answer
  expect(await text(await answer)).toBe('done')
  expect([statusCode, headers.connection]).toEqual([200, 'close'])
  await closed
  agent.destroy()
})

test('after the announcement each answer ends its connection, and new connections still work', async () => {
  const server = await startSlow()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const waits = ask(server.port, '/', new Agent({ keepAlive: true }))
  await server.came
  const kept = await ask(server.port, '/quick', agent)
  expect([await text(kept), kept.headers.connection]).toEqual(['quick', 'keep-alive'])
  server.announceEnd()
  const connections = new Set<Socket>()
  for (let count = 0; count < 3; count++) {
    const answer = await ask(server.port, '/quick', agent)
    connections.add(answer.socket)
    expect([await text(answer), answer.headers.connection]).toEqual(['quick', 'close'])
  }
  expect(connections.size).toBe(3)
  server.go()
  const answer = await waits
  expect([await text(answer), answer.headers.connection]).toEqual(['done', 'close'])
  await server.close()
  agent.destroy()
})

test('neither a kept nor a silent connection delays the end', async () => {
  const server = await startSlow()
  const agent = new Agent({ keepAlive: true })
  await text(await ask(server.port, '/quick', agent))
  const silent = connect(server.port, host)
  await once(silent, 'connect')
  // A later request: by its answer the server has accepted the silent connection.
  await text(await ask(server.port, '/quick', new Agent()))
  const ended = Promise.withResolvers<void>()
  silent.once('error', () => {}).once('close', () => ended.resolve())
  silent.resume()
  await server.close(2 ** 31 - 1)
  await ended.promise
  agent.destroy()
})

test('after its end no client can connect, and a second close is the same close', async () => {
  const server = await startSlow()
  await Promise.all([server.close(), server.close()])
  const socket = connect(server.port, host)
  const refused = Promise.withResolvers<unknown>()
  socket.once('connect', () => refused.resolve('connected')).once('error', refused.resolve)
  expect(await refused.promise).toMatchObject({ code: 'ECONNREFUSED' })
})

test('a request longer than the grace is cut off', async () => {
  const server = await startSlow()
  const answer = ask(server.port, '/', new Agent()).catch((error: unknown) => error)
  await server.came
  await server.close(1)
  expect(await answer).toMatchObject({ code: 'ECONNRESET' })
  server.go()
})
