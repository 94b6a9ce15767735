/** How strongly a pattern names an address; -1: not at all. Without an address, `*` alone does. */
export type PatternStrength = (pattern: string, address: URL | null) => number

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

/**
 * A pattern of a list of addresses: `scheme://host:port/path?query`, of which only the host is required. A host stands for those below
 * it, too, unless a dot precedes it. The exact host is stronger than those below it, then a longer host, path and query.
 */
export function urlStrength(pattern: string, url: URL | null): number {
  if (pattern === '*') return 0
  const parts =
    /^(?:([a-z*][a-z\d+.-]*):(?:\/\/|(?=\*$)))?(?:[^/@]*@)?([^/:?#]*)(?::(\d+))?([^?#]*)(?:\?([^#]*))?/i.exec(
      pattern,
    )
  if (!parts || !url) return -1
  const [, scheme = '*', host = '', port = portOf(url), rest = '', query = ''] = parts
  if (scheme !== '*' && `${scheme.toLowerCase()}:` !== url.protocol) return -1
  const path = rest.replace(/^\/\*?$/, '')
  if (port !== portOf(url) || !url.pathname.startsWith(path)) return -1
  const tokens = query.split('&').filter(Boolean)
  const given = url.search.slice(1).split('&')
  const isGiven = (token: string) =>
    given.some(each => (token.endsWith('*') ? each.startsWith(token.slice(0, -1)) : each === token))
  if (!tokens.every(isGiven)) return -1
  const rank = path.length + tokens.length / 1000
  const name = host.toLowerCase().replace(/^\.|\.$/g, '')
  if (name === '' || name === '*') return rank
  const isBelow = !host.startsWith('.') && url.hostname.endsWith(`.${name}`)
  if (url.hostname !== name && !isBelow) return -1
  return (host.startsWith('.') ? 1e8 : 0) + name.length * 1e4 + rank
}

/**
 * A pattern of a content setting: `scheme://host:port`, of which only the host is required; a path is ignored. A host stands for itself alone, and for
 * those below it after `[*.]`. The exact host is stronger than those below it, then a longer host, a port and a scheme.
 */
export function contentStrength(pattern: string, url: URL | null): number {
  if (pattern === '*') return 0
  const parts = /^(?:([a-z*][a-z\d+.-]*):\/\/)?(\[\*\.\])?([^/:*]+|\*)(?::(\d+|\*))?(?:\/.*)?$/i.exec(pattern)
  if (!parts || !url) return -1
  const [, scheme = '*', wildcard = '', host = '', port = '*'] = parts
  if (scheme !== '*' && `${scheme.toLowerCase()}:` !== url.protocol) return -1
  if (port !== '*' && port !== portOf(url)) return -1
  const rank = (port === '*' ? 0 : 2) + (scheme === '*' ? 0 : 1)
  if (host === '*') return rank
  const name = host.toLowerCase()
  const isBelow = wildcard !== '' && url.hostname.endsWith(`.${name}`)
  if (url.hostname !== name && !isBelow) return -1
  return (wildcard === '' ? 1e8 : 0) + name.length * 1e4 + rank
}
