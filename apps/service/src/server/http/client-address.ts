import { BlockList, isIP, SocketAddress } from 'node:net'
import { normalizeIP } from '@better-auth/core/utils/ip'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'

/**
 * Proxies whose forwarding header counts: a number of them in a row before the service, or those of certain
 * addresses. None by default: a direct caller could write any address into a header.
 */
export type TrustedProxies = { readonly hops: number } | { readonly addresses: BlockList }

const noProxies: TrustedProxies = { hops: 0 }

const maxTrustedEntries = 100

/** The setting names no proxies. The message names the entry's place, not its text. */
export class TrustedProxiesError extends Error {}

/** Reads a number of hops, or addresses and CIDR ranges with commas between them, such as `10.0.0.0/8, 192.0.2.7`. */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (/^\d+$/.test(text.trim())) {
    const hops = Number(text)
    if (hops > 10) throw new TrustedProxiesError('must be at most 10 hops, or a list of addresses')
    return { hops }
  }
  const entries = text.split(',')
  if (entries.length > maxTrustedEntries)
    throw new TrustedProxiesError(`must have at most ${maxTrustedEntries} entries`)
  const addresses = new BlockList()
  for (const [index, entry] of entries.entries()) addEntry(addresses, entry.trim(), index + 1)
  return { addresses }
}

function addEntry(addresses: BlockList, entry: string, place: number): void {
  const [, address = '', prefix] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (version === 0 || length > bits)
    throw new TrustedProxiesError(`entry ${place} must be an IP address or a range such as 10.0.0.0/8`)
  addresses.addSubnet(new SocketAddress({ address, family: version === 4 ? 'ipv4' : 'ipv6' }), length)
}

function hasAddress(addresses: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && addresses.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Header with the caller's network address, for the rest of the service and the log-in library. */
export const clientAddressHeader = 'x-client-address'

export interface ClientAddressOptions {
  /** Default: none; the address is that of the connection. */
  readonly trustedProxies?: TrustedProxies
  /** The header that those proxies write. Default `x-forwarded-for`. */
  readonly forwardedHeader?: ForwardedHeader
}

/** Writes the caller's address into its header, in place of the caller's own value. Before every route. */
export function clientAddress(options: ClientAddressOptions = {}) {
  const { trustedProxies = noProxies, forwardedHeader = 'x-forwarded-for' } = options
  return createMiddleware(async (c, next) => {
    const { headers } = c.req.raw
    const connection = plainAddress(getConnInfo(c).remote.address ?? '') ?? ''
    const forwarded = forwardedAddresses(forwardedHeader, headers.get(forwardedHeader) ?? '')
    headers.set(clientAddressHeader, findClient(connection, forwarded, trustedProxies))
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
  trusted: TrustedProxies,
): string {
  let client = connection
  let hops = 0
  const isTrusted = () => ('hops' in trusted ? hops < trusted.hops : hasAddress(trusted.addresses, client))
  for (const address of forwarded.toReversed()) {
    if (!isTrusted() || address === undefined) break
    client = address
    hops++
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

/** The header that the proxies write. Only one is read: a proxy passes the other on as the caller sent it. */
type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/** Most entries that are read, from the right: the caller itself may have written the left ones. */
const maxForwardedEntries = 32

/**
 * Reads the addresses of a header, the nearest caller last; `undefined` for an entry that is none, such as `unknown`.
 */
function forwardedAddresses(header: ForwardedHeader, value: string): readonly (string | undefined)[] {
  const entries = header === 'forwarded' ? splitOutsideQuotes(value) : value.split(',')
  return entries
    .slice(-maxForwardedEntries)
    .map(entry => readAddress(header === 'forwarded' ? forParameter(entry) : entry.trim()))
}

/** An address in the form for comparison: IPv4 in IPv6 as IPv4, no zone, lower case. */
function plainAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '').toLowerCase()
  const [, mapped = bare] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? []
  return isIP(mapped) === 0 ? undefined : mapped
}

function readAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  return plainAddress(bracketed ?? beforePort ?? text)
}

/** RFC 7239: `for=192.0.2.60;proto=https`; the value is a token or quoted. */
function forParameter(entry: string): string {
  for (const pair of entry.split(';')) {
    const [, value] = /^\s*for\s*=\s*(.*?)\s*$/i.exec(pair) ?? []
    if (value !== undefined) return value.replace(/^"(.*)"$/, '$1')
  }
  return ''
}

/** Commas in quotes separate nothing. An unbalanced quote takes the rest, as one entry that is no address. */
function splitOutsideQuotes(value: string): string[] {
  return value.match(/(?:"(?:\\.|[^"\\])*"?|[^,"])+|(?<=,|^)(?=,|$)/g) ?? []
}
