import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export interface ServerPlace {
  /** Name or address to listen on. */
  readonly host: string
  /** 0 takes a port that is free on each address. */
  readonly port: number
  /**
   * Where browsers reach the server. If it is plain http at this port, no proxy is in between, and the server holds each
   * address that its name has on this machine: another user could take one of them and answer there. Default
   * `http://<host>:<port>`.
   */
  readonly publicUrl?: string | undefined
}

/** Whether browsers reach the place directly, so that its name leads to this machine. */
export const isDirect = ({ port }: ServerPlace, { protocol, port: published }: URL): boolean =>
  protocol === 'http:' && Number(published || 80) === port

export const publicUrlOf = ({ host, port, publicUrl }: ServerPlace): URL =>
  new URL(publicUrl ?? `http://${urlHost(host)}:${port}`)

export const urlHost = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/**
 * Addresses to listen on for a place, the host's own first.
 *
 * @throws what the resolver says of a host that it does not know. A public name may be known to browsers alone.
 */
export async function addressesOf(place: ServerPlace): Promise<string[]> {
  const addresses = await resolve(place.host)
  const url = publicUrlOf(place)
  if (isDirect(place, url)) {
    const name = url.hostname.replace(/^\[|\]$/g, '')
    addresses.push(...(await resolve(name).catch(() => [])))
  }
  const all = [...new Set(addresses)]
  // A wildcard holds the others of its kind.
  if (all.includes('::')) return ['::']
  return all.includes('0.0.0.0') ? all.filter(address => address === '0.0.0.0' || isIP(address) === 6) : all
}

async function resolve(name: string): Promise<string[]> {
  if (isIP(name)) return [name]
  // Browsers take these names for both addresses, whatever the system's resolver says.
  if (/(?:^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
