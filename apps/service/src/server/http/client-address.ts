import { BlockList, isIP, SocketAddress } from 'node:net'
import { normalizeIP } from '@better-auth/core/utils/ip'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'

/**
 * Proxies whose `X-Forwarded-For` counts: addresses and CIDR ranges with commas between them, such as `10.0.0.0/8, 192.0.2.7`. A
 * refusal names the entry's place, not its text.
 */
export const trustedProxiesSchema = z.string().transform((text, context) => {
  const proxies = new BlockList()
  for (const [index, entry] of text.split(',').entries()) {
    const [, address = '', prefix] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
    const family = familyOf(address)
    const bits = family === 'ipv4' ? 32 : 128
    const length = Number(prefix ?? bits)
    if (family && length <= bits) proxies.addSubnet(new SocketAddress({ address, family }), length)
    else {
      const message = `entry ${index + 1} must be an IP address or a range such as 10.0.0.0/8`
      context.addIssue({ code: 'custom', message })
    }
  }
  return proxies
})

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

/** Header with the caller's network address, for the rest of the service and the log-in library. */
export const clientAddressHeader = 'x-client-address'

/**
 * Writes the caller's address into its header, in place of the caller's own value. Before every route. Without trusted proxies the
 * address is that of the connection: a direct caller could write any address into a header.
 */
export function clientAddress(trusted: BlockList = new BlockList()) {
  return createMiddleware(async (c, next) => {
    const { headers } = c.req.raw
    const connection = plainAddress(getConnInfo(c).remote.address ?? '') ?? ''
    const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map(readAddress)
    headers.set(clientAddressHeader, findClient(connection, forwarded, trusted))
    await next()
  })
}

export function clientAddressOf(c: Context): string {
  return c.req.raw.headers.get(clientAddressHeader) ?? ''
}

/**
 * Walks back from the connection through trusted proxies. Each proxy vouches for the entry before its own. An entry
 * that is no address ends the walk.
 */
function findClient(
  connection: string,
  forwarded: readonly (string | undefined)[],
  trusted: BlockList,
): string {
  let client = connection
  for (const address of forwarded.toReversed()) {
    const family = familyOf(client)
    if (!family || !trusted.check(client, family) || address === undefined) break
    client = address
  }
  return client
}

/**
 * The key of a caller in every limit, as in the log-in library: an IPv4 address, or an IPv6 network of 64 bits, of
 * which one caller has all addresses.
 */
export function limitKey(address: string): string {
  return normalizeIP(address, { ipv6Subnet: 64 })
}

/** An address in the form for comparison: IPv4 in IPv6 as IPv4, no zone, lower case. */
function plainAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '').toLowerCase()
  const [, mapped = bare] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? []
  return isIP(mapped) === 0 ? undefined : mapped
}

/** The address of an entry, which may have a port; `undefined` for one that is none, such as `unknown`. */
function readAddress(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  return plainAddress(bracketed ?? beforePort ?? text)
}
