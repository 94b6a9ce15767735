const root = new URL('../../../', import.meta.url)

/** The folder of this repository's package that an import names; `undefined` for other imports. */
export function packageFolder(specifier: string): URL | undefined {
  const [, name] = /^@service-link\/([a-z-]+)(?:\/|$)/.exec(specifier) ?? []
  if (!name) return undefined
  return new URL(name === 'protocol-vectors' ? `${name}/` : `packages/${name}/`, root)
}
