import { connect } from 'node:net'
import { signPayload } from '@service-link/jwt-payload'
import { createPartnerDirectory, createReceiver, type ReceiverEvent } from '@service-link/receiver'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { type Listening, listen } from '../../src/http-server/listen.ts'

const issuer = 'https://partner.example'
const audience = 'https://sso.example/partner/payload'

test('a complete post waits for its partner’s key set and is answered', async () => {
  await using setting = await startSetting()
  const request = await setting.post()
  await using client = openClient(setting.port, request)
  await setting.asked
  setting.answer()
  expect(await client.firstLine).toBe('HTTP/1.1 200 OK')
  expect(setting.events).toMatchObject([{ result: 'link' }])
})

test('a post without a client is given up before the key set arrives, and not logged', async () => {
  await using setting = await startSetting()
  const client = openClient(setting.port, await setting.post())
  await setting.asked
  await client[Symbol.asyncDispose]()
  // Only the client's departure ends it: the set never arrives.
  expect((await setting.settled).status).toBe(503)
  expect(setting.events).toEqual([])
})

/** A receiver on Node's server whose partner has a key set that the test releases. */
async function startSetting() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'of-set' }
  const key = { kind: 'pkcs8', pem: await exportPKCS8(privateKey), kid: 'of-set' } as const
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<Response>()
  const settled = Promise.withResolvers<Response>()
  const events: ReceiverEvent[] = []
  const fetchSet = () => {
    asked.resolve()
    return gate.promise
  }
  const receiver = createReceiver({
    url: audience,
    partners: await createPartnerDirectory(
      [{ id: 'p', name: 'P', issuer, answer: 'link', keys: [{ kind: 'jwks', url: `${issuer}/keys` }] }],
      // Ends a test that hangs.
      { fetch: fetchSet, keySetTimeoutMs: 120_000 },
    ),
    runTransaction: createMemoryStore({ accounts: [] }).runTransaction,
    sessions: createMemorySessions(),
    renderPage: () => '',
    onEvent: event => events.push(event),
  })
  const server: Listening = await listen({ host: '127.0.0.1', port: 0 })
  server.answer(async request => {
    const response = await receiver.receive(request)
    settled.resolve(response)
    return response
  })
  return {
    port: server.port,
    events,
    asked: asked.promise,
    settled: settled.promise,
    answer: () => gate.resolve(Response.json({ keys: [jwk] })),
    /** A complete post in bytes. */
    post: async () => {
      const claims = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }
      const body = `payload=${await signPayload(claims, key, { audience, issuer })}`
      const type = 'content-type: application/x-www-form-urlencoded'
      return `POST / HTTP/1.1\r\nhost: localhost\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    },
    async [Symbol.asyncDispose]() {
      gate.resolve(new Response(null, { status: 503 }))
      await server.close(0)
    },
  }
}

/** A client that sends a request at once. */
function openClient(port: number, request: string) {
  const socket = connect(port, '127.0.0.1')
  const firstLine = new Promise<string>((resolve, reject) => {
    socket.once('data', data => resolve(String(data).split('\r\n')[0] ?? ''))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server closed the connection.')))
  })
  // Handled even when no test awaits it.
  firstLine.catch(() => undefined)
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  socket.write(request)
  return {
    firstLine,
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await closed
    },
  }
}
