// A parsed address spells an IPv4 address one way only. Not names below localhost: a browser takes them for this machine, but Node asks the network for them.
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether nobody on the way can change what is got from there: https, or http to this machine. */
export function isSafeUpdateUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHost.test(url.hostname))
}

/**
 * Reads the setting `UpdateUrl`.
 *
 * @returns nothing when it sets no site: empty, or a placeholder such as `{webwrapper_site}`
 */
export function readUpdateUrl(setting: string): URL | undefined {
  return URL.parse(setting) ?? undefined
}

/**
 * Address of a file of the update site, below the path that the setting has. It is always on that site, however many slashes
 * its path begins with, and has neither its user info nor its query.
 */
export function updateFile(site: URL, name: string): URL {
  const file = new URL(site)
  // Resolving it as a relative address would take a path that begins with two slashes for another host.
  file.pathname = `${site.pathname.replace(/\/+$/, '')}/msi/${name}`
  file.username = ''
  file.password = ''
  file.search = ''
  file.hash = ''
  return file
}
