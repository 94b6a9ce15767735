import { isIP } from 'node:net'

/** Which header the proxies write. Only one is read: a proxy passes the other on as the caller sent it. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/** Most entries that are looked at, counted from the right: the left ones are the caller's own words. */
const maxEntries = 32

/**
 * Reads the addresses that a header names, the nearest caller last.
 *
 * @param value several lines of the header are joined by commas, as `Headers` does
 * @returns addresses without port and brackets; `undefined` in place of an entry that is none, such as `unknown` or `_hidden`
 */
export function forwardedAddresses(header: ForwardedHeader, value: string): readonly (string | undefined)[] {
  const entries = header === 'forwarded' ? splitOutsideQuotes(value) : value.split(',')
  return entries
    .slice(-maxEntries)
    .map(entry => readAddress(header === 'forwarded' ? forParameter(entry) : entry.trim()))
}

/** An address in the one form that the service compares and counts: IPv4 in IPv6 as IPv4, no zone, lower case. */
export function plainAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '').toLowerCase()
  const [, mapped = bare] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? []
  return isIP(mapped) === 0 ? undefined : mapped
}

function readAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  return plainAddress(bracketed ?? beforePort ?? text)
}

/** RFC 7239: `for=192.0.2.60;proto=https`, the value a token or a quoted text. */
function forParameter(entry: string): string {
  for (const pair of entry.split(';')) {
    const [, value] = /^\s*for\s*=\s*(.*?)\s*$/i.exec(pair) ?? []
    if (value !== undefined) return value.replace(/^"(.*)"$/, '$1')
  }
  return ''
}

/** Commas within quotes separate nothing. An unbalanced quote takes the rest: one entry that is no address. */
function splitOutsideQuotes(value: string): string[] {
  return value.match(/(?:"(?:\\.|[^"\\])*"?|[^,"])+|(?<=,|^)(?=,|$)/g) ?? []
}
