import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { docsUrlOf } from '../packages/protocol-core/src/errors/index.ts'
import { readErrorSources, renderErrorIndex } from '../scripts/error-index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Codes of others that our sources name: of Node and its SQLite, and of Chromium's network. */
const foreign = [
  ...['ASSERTION', 'INVALID_ARG_TYPE', 'MODULE_NOT_FOUND', 'PARSE_ARGS_', 'SQLITE_ERROR'],
  ...['SSL_PACKET_LENGTH_TOO_LONG', 'SSL_WRONG_VERSION_NUMBER', 'TLS_CERT_ALTNAME_INVALID'],
  // The conformance runner's own, which no client can know.
  'FROM_THE_FUTURE',
].map(name => `ERR_${name}`)

const sources = readErrorSources()
const pages = renderErrorIndex(sources)
const page = [...pages.values()].join('\n')
const entries = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map(entry => [entry.split(' ')[0] ?? '', entry]),
)

describe('the error index', () => {
  test('has each code that a source throws or writes once, and no other', () => {
    const text = [...sources.values()].join('\n').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    const named = new Set(text.match(/(?<=['"`\s(])ERR_[A-Z_]+(?=['"`:)])/g))
    expect([...named].filter(code => !entries.has(code) && !foreign.includes(code))).toEqual([])
    expect([...entries.keys()].filter(code => !named.has(code))).toEqual(['ERR_EXECUTABLE'])
    expect(page.match(/^## /gm)).toHaveLength(entries.size)
  })

  test('tells of each code what it means, what to do, and who meets it, at the address that errors have', () => {
    for (const [code, entry] of entries) {
      const [anchor] = docsUrlOf(code).split('#').slice(1)
      expect(entry).toMatch(
        new RegExp(
          `^${code} {#${anchor}}\n\n\\S.+\n\n- \\*\\*Remedy:\\*\\* \\S.+\n- \\*\\*Worth a retry:\\*\\* \\S.*\n- \\*\\*Seen by:\\*\\* \\S`,
        ),
      )
    }
  })

  test('has sentences, with a sign for each part that differs, and the status', () => {
    expect(entries.get('ERR_PIPE_NOT_FOUND')).toContain('No wrapper runs as process …. Start it')
    expect(entries.get('ERR_PAYLOAD_KEY')).toContain('HTTP status:** 401')
  })

  test.each([
    ['no doc comment', '', 'ERR_A has 0 doc comments'],
    ['no remedy', '/** A. */', 'ERR_A has 0 doc comments'],
    [
      'an unknown reader',
      '/**\n * A.\n * @remedy B.\n * @retry no\n * @seenBy everybody\n */',
      'needs @seenBy',
    ],
  ])('refuses a code with %s', (_what, doc, problem) => {
    const text = `${doc}\nexport class AError extends defineError('ERR_A', 'A is not right.') {}`
    expect(() => renderErrorIndex(new Map([['packages/a/src/a.ts', text]]))).toThrow(problem)
  })
})

/** Error classes by the name under which an entry of a package exports them. */
async function errorsOf(
  folder: string,
): Promise<[string, { readonly code: string; readonly prototype: Error }][]> {
  const manifest = readFileSync(`${root}${folder}/package.json`, 'utf8')
  const exports: Record<string, { readonly '@service-link/source'?: string }> = JSON.parse(manifest).exports
  const files = Object.values(exports).flatMap(entry => entry['@service-link/source'] ?? [])
  const modules = await Promise.all(files.map(file => import(`${root}${folder}/${file}`)))
  return modules
    .flatMap(module => Object.entries<ReturnType<typeof Object>>(module))
    .filter(([, value]) => value?.prototype instanceof Error && 'code' in value)
}

const folders = globSync('packages/*/README.md', { cwd: root }).map(path => path.replace('/README.md', ''))

test.each(folders)('%s: errors have the name of their export', async folder => {
  for (const [name, { prototype }] of await errorsOf(folder)) expect(prototype.name).toBe(name)
})
