import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

/** Error classes by the name under which an entry of a package exports them. */
async function errorsOf(
  folder: string,
): Promise<[string, { readonly code: string; readonly prototype: Error }][]> {
  const exports: Record<string, { readonly '@service-link/source'?: string }> = JSON.parse(
    read(`${folder}/package.json`),
  ).exports
  const sources = Object.values(exports).flatMap(entry => entry['@service-link/source'] ?? [])
  const modules = await Promise.all(sources.map(source => import(`${root}${folder}/${source}`)))
  return modules
    .flatMap(module => Object.entries<ReturnType<typeof Object>>(module))
    .filter(([, value]) => value?.prototype instanceof Error && 'code' in value)
}

/** Codes in the tables of a document. */
const codesIn = (document: string) =>
  new Set([...document.matchAll(/^\|[^\n]*/gm)].flatMap(([row]) => row.match(/`ERR_[A-Z_]+[A-Z]`/g) ?? []))

/** Everything that can throw or write a code. */
const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map(read).join('\n')

const folders = globSync('packages/*/README.md', { cwd: root }).map(path => path.replace('/README.md', ''))

test.each(folders)(
  '%s: errors have the name of their export, and codes an entry in its README',
  async folder => {
    const documented = codesIn(read(`${folder}/README.md`) + read('docs/reference/partner-link-refusals.md'))
    for (const [name, { code, prototype }] of await errorsOf(folder)) {
      expect(prototype.name).toBe(name)
      expect(documented).toContain(`\`${code}\``)
    }
    expect([...documented].filter(code => !sources.includes(`'${code.slice(1, -1)}'`))).toEqual([])
  },
)
