import { type SigningKey, signPayload } from '@service-link/jwt-payload'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { createPartnerDirectory } from '../src/index.ts'
import { createTestReceiver, payload, post, url } from './support/receiver.ts'

test('a client that leaves during the key set’s fetch delays no other and is not logged', async () => {
  await using setting = await createSetting()
  const { receiver } = setting
  const stop = new AbortController()
  const answered = receiver.receive(new Request(post(await setting.sign()), { signal: stop.signal }))
  await setting.asked
  // Like a server's adapter, which may give any value as the reason.
  stop.abort('Client connection prematurely closed.')
  expect((await answered).status).toBe(503)
  expect(receiver.events).toEqual([])
  expect(receiver.store.auditEntries()).toEqual([])
  setting.answer()
  const other = await receiver.receive(post(await setting.sign()))
  expect(other.status).toBe(200)
  expect(receiver.events).toHaveLength(1)
})

/** A receiver whose only partner has a key set that the test releases. */
async function createSetting() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'of-set' }
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<Response>()
  const answer = () => gate.resolve(Response.json({ keys: [jwk] }))
  const partners = await createPartnerDirectory(
    [
      {
        id: 'with-set',
        name: 'With a key set',
        issuer: 'https://partner.example',
        keys: [{ kind: 'jwks', url: 'https://partner.example/keys' }],
      },
    ],
    {
      // Ends a test that hangs.
      keySetTimeoutMs: 60_000,
      fetch: () => {
        asked.resolve()
        return gate.promise
      },
    },
  )
  const receiver = await createTestReceiver({ partners })
  const key: SigningKey = {
    kind: 'jwk',
    keyId: 'of-set',
    thumbprint: undefined,
    algorithm: 'ES256',
    material: privateKey,
  }
  return {
    receiver,
    asked: asked.promise,
    answer,
    sign: () =>
      signPayload(payload, key, { audience: url, clock: receiver.clock, issuer: 'https://partner.example' }),
    async [Symbol.asyncDispose]() {
      answer()
    },
  }
}
