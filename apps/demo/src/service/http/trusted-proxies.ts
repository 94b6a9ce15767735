import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * Whose word about a caller's address counts: so many proxies in a row before the service, or those of certain addresses.
 * Nobody by default: whoever reaches the service directly could write any address into a header.
 */
export type TrustedProxies = { readonly hops: number } | { readonly addresses: BlockList }

/** No proxy. */
export const noProxies: TrustedProxies = { hops: 0 }

/** Most entries of a list. */
const maxEntries = 100

/** A setting that names no proxies. Names the entry's place, not its text. */
export class TrustedProxiesError extends Error {}

/**
 * Reads the setting: a number of hops, or addresses and CIDR ranges with commas between them, such as
 * `10.0.0.0/8, 2001:db8::/32, 192.0.2.7`.
 *
 * @throws {TrustedProxiesError} when it is neither; says which entry is wrong
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (/^\d+$/.test(text.trim())) {
    const hops = Number(text)
    if (hops > 10) throw new TrustedProxiesError('must be at most 10 hops, or a list of addresses')
    return { hops }
  }
  const entries = text.split(',')
  if (entries.length > maxEntries) throw new TrustedProxiesError(`must have at most ${maxEntries} entries`)
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

/** Whether a list of proxies has an address. */
export function hasAddress(addresses: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && addresses.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
