import { normalizeIP } from '@better-auth/core/utils/ip'

/**
 * By what a limit counts a caller, the same in all of them and in the log-in library: an IPv4 address, or an IPv6 network of 64
 * bits, of which one caller has all addresses.
 *
 * @param address as `clientAddressOf` gives it
 */
export function limitKey(address: string): string {
  return normalizeIP(address, { ipv6Subnet: 64 })
}
