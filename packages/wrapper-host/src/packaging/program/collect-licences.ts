import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

interface PackageLicence {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string | undefined
}

/**
 * Gathers the licences of the packages that files come from.
 *
 * @param files of a bundle
 * @returns a text with each package's name, version, licence, and the words of its licence file where it has one
 */
export async function collectLicences(files: readonly string[]): Promise<string> {
  const roots = new Map<string, PackageLicence | undefined>()
  for (const file of files) await findPackage(dirname(resolve(file)), roots)
  const found = new Map(
    [...roots.values()].flatMap(each => (each ? [[`${each.name} ${each.version}`, each]] : [])),
  )
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { licence, text }]) =>
      [`${title} (${licence})`, ...(text ? ['', text.trim()] : []), ''].join('\n'),
    )
    .join(`\n${'-'.repeat(78)}\n\n`)
}

/** The package of a folder: the nearest manifest above it that names one. */
async function findPackage(
  folder: string,
  known: Map<string, PackageLicence | undefined>,
): Promise<PackageLicence | undefined> {
  if (known.has(folder)) return known.get(folder)
  const parent = dirname(folder)
  const found =
    (await readPackage(folder)) ?? (parent === folder ? undefined : await findPackage(parent, known))
  known.set(folder, found)
  return found
}

async function readPackage(folder: string): Promise<PackageLicence | undefined> {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (manifest === undefined) return undefined
  const { name, version, license } = JSON.parse(manifest)
  if (typeof name !== 'string' || typeof version !== 'string') return undefined
  const file = (await readdir(folder)).find(each => /^licen[cs]e(\.(md|txt))?$/i.test(each))
  const text = file === undefined ? undefined : await readFile(join(folder, file), 'utf8')
  return { name, version, licence: typeof license === 'string' ? license : 'see its package', text }
}
