import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { listen } from '../../src/http-server/listen.ts'
import { hasIpv6 } from '../support/localhost.ts'

async function ask(host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get({ host, port, agent: false }, answer => resolve(text(answer))).once('error', reject)
  return promise
}

/** Another program at an address of this machine. */
async function occupy(host: string, port = 0) {
  const server = createServer().listen({ host, port, ipv6Only: host === '::' })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void (await new Promise(resolve => server.close(resolve))),
  }
}

describe.skipIf(!hasIpv6)('a server whose name has several addresses', () => {
  test.each([
    ['localhost', undefined],
    ['127.0.0.1', 'http://localhost:0'],
    ['127.0.0.1', 'http://service.localhost:0'],
    ['localhost.', undefined],
    ['::', undefined],
    ['0.0.0.0', 'http://localhost:0'],
  ])('host %s, published at %s: all of them answer at one port', async (host, publicUrl) => {
    const listening = await listen({ host, port: 0, publicUrl })
    listening.answer(() => new Response('ours'))
    expect(await Promise.all(['127.0.0.1', '::1'].map(address => ask(address, listening.port)))).toEqual([
      'ours',
      'ours',
    ])
    await listening.close()
  })

  test.each(['127.0.0.1', '::1', '0.0.0.0', '::'])(
    'does not start while another program has %s, names the address, and leaves the port free',
    // Another process may take the same port of the other address meanwhile.
    { retry: 2 },
    async taken => {
      await using other = await occupy(taken)
      const address = taken.includes(':') ? '::1' : '127.0.0.1'
      await expect(listen({ host: 'localhost', port: other.port })).rejects.toMatchObject({
        code: 'EADDRINUSE',
        address,
        port: other.port,
        message: expect.stringContaining(`Port ${other.port} of ${address} is taken`),
      })
      const free = address === '::1' ? '127.0.0.1' : '::1'
      await using _again = await occupy(free, other.port)
    },
  )
})

const [own] = Object.values(networkInterfaces())
  .flatMap(found => found ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)

test.skipIf(!own)(
  'a name of the network is held as well (needs an address besides that of this machine)',
  async () => {
    const listening = await listen({ host: '127.0.0.1', port: 0, publicUrl: `http://${own?.address}:0` })
    listening.answer(() => new Response('ours'))
    expect(await ask(own?.address ?? '', listening.port)).toBe('ours')
    expect(listening.origin).toBe(`http://${own?.address}:${listening.port}`)
    await listening.close()
  },
)

test.each([
  // A proxy is in front: the name’s other addresses are its own.
  ['127.0.0.1', 'https://localhost', '127.0.0.1'],
  ['127.0.0.1', 'http://localhost:1', '127.0.0.1'],
  // The name is a single address.
  ['127.0.0.1', undefined, '127.0.0.1'],
  // The name has no address here, or none at all.
  ['127.0.0.1', 'http://192.0.2.77:0', '127.0.0.1'],
  ['127.0.0.1', 'http://name.invalid:0', '127.0.0.1'],
  ['127.0.0.1', 'http://[fe80::77]:0', '127.0.0.1'],
])('host %s, published at %s: listens on %s', async (host, publicUrl, addresses) => {
  const listening = await listen({ host, port: 0, publicUrl })
  expect(listening.listensOn).toEqual([`${addresses}:${listening.port}`])
  await listening.close()
})

test.each([
  ['192.0.2.77', 'EADDRNOTAVAIL'],
  ['name.invalid', /ENOTFOUND|EAI_AGAIN/],
] as const)('the host %s, which this machine does not have, ends the start', async (host, code) => {
  const failed = await listen({ host, port: 0, publicUrl: 'http://localhost:0' }).catch(
    (error: unknown) => error,
  )
  expect(failed).toMatchObject({ code: expect.stringMatching(code) })
})

test.each([
  ['localhost', undefined, /^http:\/\/localhost:\d+$/],
  ['::1', undefined, /^http:\/\/\[::1\]:\d+$/],
  ['127.0.0.1', 'https://service.example/', /^https:\/\/service\.example$/],
])('host %s, published at %s, has its origin', async (host, publicUrl, origin) => {
  if (host === '::1' && !hasIpv6) return
  const listening = await listen({ host, port: 0, publicUrl })
  expect(listening.origin).toMatch(origin)
  await listening.close()
})
