const root = new URL('../../../', import.meta.url)

/** Where a package of this repository lies that an import names; nothing for other imports. */
export function packageFolder(specifier: string): URL | undefined {
  const [, name] = /^@service-link\/([a-z-]+)(?:\/|$)/.exec(specifier) ?? []
  if (!name) return undefined
  return new URL(name === 'protocol-vectors' ? `${name}/` : `packages/${name}/`, root)
}
