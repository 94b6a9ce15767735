import { signPayload } from '@service-link/jwt-payload'
import { createPartnerDirectory, createReceiver, type PartnerRegistration } from '@service-link/receiver'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import { expect, test } from 'vitest'
import { clientAddressHeader } from '../../src/server/http/client-address.ts'
import { payloadPath, receiverRoutes } from '../../src/server/partner-link/partner-link.ts'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { visit } from '../support/post.ts'

const publicUrl = 'http://service.example'

/** More than the limit per minute, because a new minute may begin. */
const mostTries = 5000

async function startRoutes(registration: Partial<PartnerRegistration> = {}) {
  const key = await createPartnerKey()
  const receiver = createReceiver({
    url: `${publicUrl}${payloadPath}`,
    partners: await createPartnerDirectory([{ ...key.registration, ...registration }]),
    runTransaction: createMemoryStore({ accounts: [] }).runTransaction,
    sessions: createMemorySessions(),
    renderPage: () => '',
  })
  const app = receiverRoutes(receiver)
  const sign = () =>
    signPayload(visit, key.signing, { audience: `${publicUrl}${payloadPath}`, issuer: key.issuer })
  const post = async (token: string, address: string, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ payload: token })
    const init = { method: 'POST', body, headers: { [clientAddressHeader]: address, ...headers } }
    return (await app.request(`${publicUrl}${payloadPath}`, init)).status
  }
  return { app, sign, post }
}

test.each([
  ['no-cors', 400],
  ['cors', 403],
])(
  'posts of a page’s script (%s) are refused before their signature and lock no client out',
  async (mode, status) => {
    const { sign, post } = await startRoutes()
    const origin = 'https://elsewhere.example'
    const scripted = { 'sec-fetch-mode': mode, 'sec-fetch-site': 'cross-site', origin }
    const token = await sign()
    for (let count = 0; count < 1100; count++) expect(await post(token, '192.0.2.1', scripted)).toBe(status)
    expect(await post(token, '192.0.2.1')).toBe(200)
  },
)

test('posts of an inactive partner’s script are counted: their signature was checked', async () => {
  const origin = 'https://journal.example'
  const { sign, post } = await startRoutes({ isActive: false, scriptOrigins: [origin] })
  const scripted = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site', origin }
  const token = await sign()
  let status = await post(token, '192.0.2.1', scripted)
  expect(status).toBe(403)
  for (let count = 0; status !== 429 && count < mostTries; count++)
    status = await post(token, '192.0.2.1', scripted)
  expect(status).toBe(429)
})

test('a client that guesses one-time URLs must wait, also with posts; others need not', async () => {
  const { app, post } = await startRoutes()
  const strangers = await startRoutes()
  const handle = Buffer.alloc(32).toString('base64url')
  const url = `${publicUrl}${payloadPath}/open/${handle}`
  const open = async (address: string) =>
    (await app.request(url, { headers: { [clientAddressHeader]: address } })).status
  let status = await open('192.0.2.1')
  expect(status).toBe(410)
  for (let count = 0; status === 410 && count < mostTries; count++) status = await open('192.0.2.1')
  expect(status).toBe(429)
  expect(await post(await strangers.sign(), '192.0.2.1')).toBe(429)
  expect(await open('192.0.2.2')).toBe(410)
})
