import { importSigningKey } from '@service-link/jwt-payload'
import { createPartnerKey } from '@service-link/service/testing'
import { expect, test } from 'vitest'
import { createPageKeys } from '../own-pages/page-keys.ts'
import { partnerRoutes } from './partner-routes.ts'

/** Files, and where a key of one use is handed in. */
const open = ['/', '/launcher', '/assets/*', '/favicon.ico', '/key']

test('each route but for files wants the key, for an origin is what every program can send; calls are bounded', async () => {
  const { signing, issuer, publicKey } = await createPartnerKey()
  const signingKey = await importSigningKey(signing)
  const keys = createPageKeys()
  const address = 'http://localhost:1/partner/payload'
  const facts = { address, issuer, keyId: '', publicKey, claims: {} }
  const signed: unknown[] = []
  const signVisit = async (visit: unknown) => {
    signed.push(visit)
    return 'signed'
  }
  const registrations = { add: () => Promise.reject(new TypeError('called')) }
  const own = { keys, pages: import.meta.dirname }
  const app = partnerRoutes({ ...own, facts, signingKey, signVisit, registrations })
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && !open.includes(path))
  expect(routes.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/keys',
      '/payload',
      '/launcher/facts',
      '/launcher/sign',
      '/launcher/call',
      '/launcher/register',
    ]),
  )
  const body = JSON.stringify({ patientId: '1', employeeId: '2', header: {}, claims: {} })
  for (const { method, path } of routes) {
    const headers = { 'content-type': 'application/json', origin: 'http://localhost' }
    const init = { method, headers, ...(method === 'POST' ? { body } : {}) }
    expect([method, path, (await app.request(path, init)).status]).toEqual([method, path, 403])
  }
  expect(signed).toEqual([])
  const key = keys.exchange(keys.issue())
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  expect((await app.request('/payload', { method: 'POST', headers, body })).status).toBe(200)
  expect(signed).toHaveLength(1)
  // It calls http and https alone, with bodies of a payload's size.
  const call = async (url: string, text = '') => {
    const json = JSON.stringify({ url, method: 'POST', headers: {}, body: text })
    return (await app.request('/launcher/call', { method: 'POST', headers, body: json })).status
  }
  for (const url of ['file:///etc/hostname', 'data:,x', 'partner/payload']) expect(await call(url)).toBe(400)
  expect(await call(address, 'x'.repeat(300_000))).toBe(413)
})
