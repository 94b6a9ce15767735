import { existsSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)

/** The folder of this repository's package that an import names; `undefined` for other imports. */
export function packageFolder(specifier: string): URL | undefined {
  const [, name] = /^@service-link\/([a-z-]+)(?:\/|$)/.exec(specifier) ?? []
  if (!name) return undefined
  const folders = ['packages', 'internal', 'conformance'].map(parent => new URL(`${parent}/${name}/`, root))
  return folders.find(folder => existsSync(folder))
}
