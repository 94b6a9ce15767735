const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether nobody on the way can change what is got from there: https, or http to this machine. */
export function isSafeUpdateUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname))
}

/**
 * Reads the setting `UpdateUrl`.
 *
 * @returns nothing when it sets no site: empty, or a placeholder such as `{webwrapper_site}`
 */
export function readUpdateUrl(setting: string): URL | undefined {
  return URL.parse(setting) ?? undefined
}

/** Address of a file of the update site, below the path that the setting has. */
export function updateFile(site: URL, name: string): URL {
  return new URL(`${site.pathname.replace(/\/+$/, '')}/msi/${name}`, site.origin)
}
