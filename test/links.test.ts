import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readAddress } from '../scripts/address.ts'
import { readErrorSources, renderErrorIndex } from '../scripts/error-index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Address of this repository's files on the web. READMEs of packages use it: the registry's page has them apart from the others. */
const published = new RegExp(`^${readAddress().repository}/(?:blob|tree)/main/`)

/** Each link of a document, and each file that it shows, outside code blocks. */
function linksOf(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
  return [...text.matchAll(/\]\(([^)\s]+)\)|^<<< ([^{#\s]+)/gm)].map(
    ([, target = '', shown = '']) => target || shown,
  )
}

const isRelative = (target: string) => !/^[a-z]+:/.test(target)

/** Pages that the site's build makes. */
const made = new Map(
  [...renderErrorIndex(readErrorSources())].map(([file, text]) => [join(root, 'docs/errors', file), text]),
)

/** The link anchor of each heading of a document. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>()
  const text = (made.get(document) ?? readFileSync(document, 'utf8')).replaceAll(/^```[\s\S]*?^```$/gm, '')
  for (const [, id = ''] of text.matchAll(/\)\{#(\w+)\}/g)) anchors.add(id)
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
    let unique = / \{#(.+)\}$/.exec(heading)?.[1] ?? anchor
    for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`
    anchors.add(unique)
  }
  return anchors
}

function problemOf(document: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  const folder = published.test(target) ? '.' : dirname(document)
  const file = path === '' ? join(root, document) : join(root, folder, decodeURI(path.replace(published, '')))
  if (!made.has(file) && !existsSync(file)) return `${document}: ${target} is not there`
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined
  return `${document}: ${target} is no heading of ${relative(root, file)}`
}

const documents = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'conformance/*/*.md', 'apps/*/README.md'],
  { cwd: root, exclude: ['docs/{api,errors,repository}/**'] },
)

test('no document has marks of a merge', () => {
  const marked = documents.filter(document =>
    /^(<{7}|>{7}) /m.test(readFileSync(join(root, document), 'utf8')),
  )
  expect(marked).toEqual([])
})

test('every link of the documentation leads to an existing file and heading', () => {
  const links = documents.flatMap(document =>
    linksOf(document)
      .filter(target => isRelative(target) || published.test(target))
      .map(target => [document, target] as const),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.map(([document, target]) => problemOf(document, target)).filter(Boolean)).toEqual([])
})

test('READMEs of packages link to the repository in full, as the registry’s page needs', () => {
  const documents = globSync('packages/*/README.md', { cwd: root })
  const isLost = (target: string) =>
    isRelative(target) ? !target.startsWith('#') : target.includes('/main/') && !published.test(target)
  expect(documents.flatMap(document => linksOf(document).filter(isLost))).toEqual([])
})

test('pages name a section of the specification by a link to their reader’s page', () => {
  const bare = /(?<!\[)\bspec(?:ification)? \d+(\.\d+)?/gi
  const pages = globSync(['docs/**/*.md', 'packages/*/README.md'], {
    cwd: root,
    exclude: ['docs/{api,errors,repository}/**'],
  })
  const found = pages.flatMap(page => readFileSync(join(root, page), 'utf8').match(bare) ?? [])
  expect(found).toEqual([])
})
