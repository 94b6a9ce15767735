import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientAddress, clientAddressHeader } from './client-address.ts'

const app = new Hono().use(clientAddress).all('*', c => c.json(c.req.raw.headers.get(clientAddressHeader)))

test.each([
  ['nothing', {}],
  ['another address', { 'X-Client-Address': '203.0.113.9' }],
])('a caller that says %s is known by the address of its connection', async (_name, headers) => {
  const env = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
  const answer = await app.request('/', { method: 'POST', body: 'x', headers }, env)
  expect(await answer.json()).toBe('192.0.2.7')
})
