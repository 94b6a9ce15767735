import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type ForwardedHeader, forwardedAddresses, plainAddress } from './forwarded-addresses.ts'
import { hasAddress, noProxies, type TrustedProxies } from './trusted-proxies.ts'

/** Header that tells the rest of the service, and the log-in library, the caller's network address. */
export const clientAddressHeader = 'x-client-address'

/** Options of {@link clientAddress}. */
export interface ClientAddressOptions {
  /** Default: none, so that the address is that of the connection. */
  readonly trustedProxies?: TrustedProxies
  /** The header that those proxies write. Default `x-forwarded-for`. */
  readonly forwardedHeader?: ForwardedHeader
}

/** Writes the caller's address into its header, over whatever the caller says there. For every route, and before it. */
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

/** The caller's address as {@link clientAddress} found it; empty where the connection had none. */
export function clientAddressOf(c: Context): string {
  return c.req.raw.headers.get(clientAddressHeader) ?? ''
}

/**
 * Goes back from the connection as far as the word of trusted proxies reaches. Each proxy vouches for the entry before its
 * own; an entry that is no address ends the way at the last one known.
 */
export function findClient(
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
