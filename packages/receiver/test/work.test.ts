import { importVerificationKey, signPayload, verifyPayload } from '@service-link/jwt-payload'
import { countParsed, countVerifications } from '@service-link/test-kit/count-work'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { afterEach, expect, test, vi } from 'vitest'
import { ada, url as audience, createTestReceiver, payload, post } from './support/receiver.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a post parses each part of its token once, verifies once and waits for no thread', async () => {
  const receiver = await createTestReceiver()
  await receiver.logIn(ada.id)
  const token = await receiver.sign()
  const parsed = countParsed(token)
  const verifications = countVerifications()
  const threads = [vi.spyOn(crypto.subtle, 'verify'), vi.spyOn(crypto.subtle, 'digest')]
  const digests = vi.spyOn(process.getBuiltinModule('node:crypto'), 'hash')
  // Servers make a controller when it is read.
  const signals = vi.spyOn(Request.prototype, 'signal', 'get')
  expect((await receiver.receive(post(token))).status).toBe(200)
  expect(parsed()).toHaveLength(2)
  expect(verifications()).toBe(1)
  // The employee's: for the session, and by the store in memory.
  expect(digests).toHaveBeenCalledTimes(2)
  expect(signals).not.toHaveBeenCalled()
  for (const spy of threads) expect(spy).not.toHaveBeenCalled()
})

test('a key is imported once for any number of tokens', async () => {
  const keys = await importVerificationKey(registeredKey('p256'))
  const tokens = await Promise.all(
    [1, 2, 3].map(() => signPayload(payload, signingKey('p256'), { audience })),
  )
  const imports = [vi.spyOn(crypto.subtle, 'importKey'), vi.spyOn(crypto.subtle, 'exportKey')]
  const keyObjects = vi.spyOn(process.getBuiltinModule('node:crypto').KeyObject, 'from')
  for (const token of tokens) await verifyPayload(token, { keys, audience })
  for (const spy of imports) expect(spy).not.toHaveBeenCalled()
  expect(keyObjects).toHaveBeenCalledTimes(1)
})
