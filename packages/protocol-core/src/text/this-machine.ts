/**
 * Whether a host is this machine, so that no other machine can answer in its place.
 *
 * @param hostname as `URL` writes it: an IPv4 address has one spelling then
 * @param resolver the program that resolves the name. Browsers take each name below `localhost` for this machine; Node asks the network.
 */
export function isThisMachine(hostname: string, resolver: 'node' | 'browser' = 'node'): boolean {
  if (resolver === 'browser' && hostname.endsWith('.localhost')) return true
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
