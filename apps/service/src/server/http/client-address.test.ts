import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import {
  type ClientAddressOptions,
  clientAddress,
  clientAddressOf,
  limitKey,
  parseTrustedProxies,
  TrustedProxiesError,
} from './client-address.ts'

/** The address by which the service knows a request from `remoteAddress`. */
async function addressOf(
  remoteAddress: string,
  headers: Record<string, string> | [string, string][],
  options?: ClientAddressOptions,
): Promise<string> {
  const app = new Hono().use(clientAddress(options)).all('*', c => c.text(clientAddressOf(c)))
  const init = { method: 'POST', body: 'x', headers: new Headers(headers) }
  return (await app.request('/', init, { incoming: { socket: { remoteAddress } } })).text()
}

test.each([
  ['nothing', {}],
  ['another address', { 'X-Client-Address': '203.0.113.9' }],
  ['to come through a proxy', { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' }],
])('a caller that says %s is known by the address of its connection', async (_name, headers) => {
  expect(await addressOf('192.0.2.7', headers)).toBe('192.0.2.7')
})

const spoofed = '203.0.113.66'

describe.each([
  ['hops', '2'],
  ['addresses', '10.0.0.0/8, fd00::/8'],
])('behind two proxies trusted by %s', (_kind, setting) => {
  const options = { trustedProxies: parseTrustedProxies(setting) }
  test.each([
    ['the client that the outer proxy saw', '198.51.100.1, 10.0.0.1', '198.51.100.1'],
    ['not what the client wrote in front', `${spoofed}, 198.51.100.1, 10.0.0.1`, '198.51.100.1'],
    ['without the port', '198.51.100.1:4711, 10.0.0.1', '198.51.100.1'],
    ['without brackets and port', '[2001:DB8::1]:4711, 10.0.0.1', '2001:db8::1'],
    ['IPv4 in IPv6 as IPv4', '::ffff:198.51.100.1, 10.0.0.1', '198.51.100.1'],
    ['the last proxy known, where the client has no address', `${spoofed}, unknown, 10.0.0.1`, '10.0.0.1'],
    ['the last proxy known, where text stands in place of one', `${spoofed}, <script>, 10.0.0.1`, '10.0.0.1'],
    ['the connection, where the list is empty', '', '10.0.0.2'],
    ['the first, where all of a short list are proxies', '10.0.0.1', '10.0.0.1'],
  ])('takes %s', async (_name, value, expected) => {
    expect(await addressOf('10.0.0.2', { 'x-forwarded-for': value }, options)).toBe(expected)
  })

  test('reads the header of several lines as one list', async () => {
    const lines: [string, string][] = [
      ['x-forwarded-for', spoofed],
      ['x-forwarded-for', '198.51.100.1'],
      ['x-forwarded-for', '10.0.0.1'],
    ]
    expect(await addressOf('10.0.0.2', lines, options)).toBe('198.51.100.1')
  })
})

test('a connection that is no trusted proxy is the client, whatever it says', async () => {
  const options = { trustedProxies: parseTrustedProxies('10.0.0.0/8,::1') }
  expect(await addressOf('198.51.100.9', { 'x-forwarded-for': `${spoofed}, 10.0.0.1` }, options)).toBe(
    '198.51.100.9',
  )
  expect(await addressOf('::1', { 'x-forwarded-for': '198.51.100.1' }, options)).toBe('198.51.100.1')
})

describe('Forwarded', () => {
  const options = { trustedProxies: parseTrustedProxies('1'), forwardedHeader: 'forwarded' } as const
  test.each([
    ['for=198.51.100.1;proto=https', '198.51.100.1'],
    ['proto=https; For="198.51.100.1:80"', '198.51.100.1'],
    ['for="[2001:db8::1]:4711"', '2001:db8::1'],
    [`for=${spoofed}, for=198.51.100.1`, '198.51.100.1'],
    [`for="${spoofed}, for=1.1.1.1", for=198.51.100.1`, '198.51.100.1'],
    [`for=${spoofed}, for=_hidden`, '10.0.0.2'],
    [`for=${spoofed}, by=10.0.0.1`, '10.0.0.2'],
    [`for=198.51.100.1, for="${spoofed}`, '10.0.0.2'],
  ])('%s comes from %s', async (value, expected) => {
    expect(await addressOf('10.0.0.2', { forwarded: value }, options)).toBe(expected)
  })

  test('is read alone: the other header is the caller’s own words', async () => {
    expect(await addressOf('10.0.0.2', { 'x-forwarded-for': spoofed }, options)).toBe('10.0.0.2')
    const other = { trustedProxies: parseTrustedProxies('1') }
    expect(await addressOf('10.0.0.2', { forwarded: `for=${spoofed}` }, other)).toBe('10.0.0.2')
  })
})

test.each(['11', '-1', '10.0.0.0/33', '::/129', 'proxy.example', '10.0.0.1,,10.0.0.2', '10.0.0.0/', 'all'])(
  'the setting %j is refused',
  setting => {
    expect(() => parseTrustedProxies(setting)).toThrow(TrustedProxiesError)
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
