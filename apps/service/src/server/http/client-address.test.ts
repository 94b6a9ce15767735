import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientAddress, clientAddressOf, limitKey, trustedProxiesSchema } from './client-address.ts'

/** The address by which the service knows a request from `remoteAddress`. */
async function addressOf(remoteAddress: string, headers: HeadersInit, proxies?: string): Promise<string> {
  const trusted = proxies === undefined ? undefined : trustedProxiesSchema.parse(proxies)
  const app = new Hono().use(clientAddress(trusted)).all('*', c => c.text(clientAddressOf(c)))
  const init = { method: 'POST', body: 'x', headers: new Headers(headers) }
  return (await app.request('/', init, { incoming: { socket: { remoteAddress } } })).text()
}

test.each([
  ['nothing', {}],
  ['another address', { 'X-Client-Address': '203.0.113.9' }],
  ['to come through a proxy', { 'X-Forwarded-For': '203.0.113.9' }],
])('a caller that says %s is known by the address of its connection', async (_name, headers) => {
  expect(await addressOf('192.0.2.7', headers)).toBe('192.0.2.7')
})

const spoofed = '203.0.113.66'

test.each([
  ['takes the client that the outer proxy saw', '198.51.100.1, 10.0.0.1', '198.51.100.1'],
  ['takes not what the client wrote in front', `${spoofed}, 198.51.100.1, 10.0.0.1`, '198.51.100.1'],
  ['takes it without the port', '198.51.100.1:4711, 10.0.0.1', '198.51.100.1'],
  ['takes it without brackets and port', '[2001:DB8::1]:4711, 10.0.0.1', '2001:db8::1'],
  ['takes IPv4 in IPv6 as IPv4', '::ffff:198.51.100.1, 10.0.0.1', '198.51.100.1'],
  [
    'takes the last proxy known, where the client has no address',
    `${spoofed}, unknown, 10.0.0.1`,
    '10.0.0.1',
  ],
  ['takes the connection, where the list is empty', '', '10.0.0.2'],
  ['takes the first, where all of a short list are proxies', '10.0.0.1', '10.0.0.1'],
])('behind two trusted proxies it %s', async (_name, value, expected) => {
  expect(await addressOf('10.0.0.2', { 'x-forwarded-for': value }, '10.0.0.0/8, fd00::/8')).toBe(expected)
})

test('a header of several lines is one list', async () => {
  const lines: [string, string][] = [spoofed, '198.51.100.1', '10.0.0.1'].map(line => [
    'x-forwarded-for',
    line,
  ])
  expect(await addressOf('10.0.0.2', lines, '10.0.0.0/8')).toBe('198.51.100.1')
})

test('a connection that is no trusted proxy is the client, whatever it says', async () => {
  const headers = { 'x-forwarded-for': `${spoofed}, 10.0.0.1` }
  expect(await addressOf('198.51.100.9', headers, '10.0.0.0/8,::1')).toBe('198.51.100.9')
  expect(await addressOf('::1', { 'x-forwarded-for': '198.51.100.1' }, '10.0.0.0/8,::1')).toBe('198.51.100.1')
})

test.each(['1', '10.0.0.0/33', '::/129', 'proxy.example', '10.0.0.1,,10.0.0.2', '10.0.0.0/', 'all'])(
  'the setting %j is refused',
  setting => {
    expect(trustedProxiesSchema.safeParse(setting).success).toBe(false)
  },
)

test.each([
  ['addresses of one IPv6 network', '2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:fffe', true],
  ['addresses of two IPv6 networks', '2001:db8:0:7::1', '2001:db8:0:8::1', false],
  ['two IPv4 addresses', '198.51.100.1', '198.51.100.2', false],
  ['IPv4 in IPv6 and the same as IPv4', '::ffff:198.51.100.1', '198.51.100.1', true],
])('%s: %s and %s', (_name, one, other, isSame) => {
  expect(limitKey(one) === limitKey(other)).toBe(isSame)
})
