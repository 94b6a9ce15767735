import {
  createMemorySessions,
  createMemoryStore,
  createPartnerDirectory,
  createReceiver,
} from '@service-link/jwt-payload/receiver'
import { expect, test } from 'vitest'
import { createPartnerKey } from '../src/partner/partner-key.ts'
import { clientAddressHeader } from '../src/service/http/client-address.ts'
import { payloadPath, receiverRoutes } from '../src/service/partner-link/partner-link.ts'

const publicUrl = 'http://service.example'

test('who tries one one-time URL after the other is told to wait, for posts too, and others are not', async () => {
  const { registration } = await createPartnerKey()
  const receiver = createReceiver({
    url: `${publicUrl}${payloadPath}`,
    partners: await createPartnerDirectory([registration]),
    effects: createMemoryStore({ accounts: [] }).effects,
    sessions: createMemorySessions(),
    renderPage: () => '',
  })
  const app = receiverRoutes(receiver)
  const ask = async (path: string, address: string, method = 'GET') =>
    (await app.request(`${publicUrl}${path}`, { method, headers: { [clientAddressHeader]: address } })).status
  const handle = Buffer.alloc(32).toString('base64url')
  const open = (address: string) => ask(`${payloadPath}/open/${handle}`, address)
  let status = await open('192.0.2.1')
  expect(status).toBe(410)
  // More than the limit, for the case that a new minute begins meanwhile.
  for (let count = 0; status === 410 && count < 5000; count++) status = await open('192.0.2.1')
  expect(status).toBe(429)
  expect(await ask(payloadPath, '192.0.2.1', 'POST')).toBe(429)
  expect(await open('192.0.2.2')).toBe(410)
})
