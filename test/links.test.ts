import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each link of a document to a place in this repository, outside code blocks. */
function linksOf(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))
}

/** The link anchor of each heading of a document. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>()
  const text = readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
    let unique = anchor
    for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`
    anchors.add(unique)
  }
  return anchors
}

function problemOf(document: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(root, document) : join(root, dirname(document), decodeURI(path))
  if (!existsSync(file)) return `${document}: ${target} is not there`
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined
  return `${document}: ${target} is no heading of ${relative(root, file)}`
}

test('every link of the documentation leads to an existing file and heading', () => {
  const documents = globSync(
    ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'protocol-vectors/*.md', 'apps/*/README.md'],
    {
      cwd: root,
    },
  )
  const links = documents.flatMap(document => linksOf(document).map(target => [document, target] as const))
  expect(links.length).toBeGreaterThan(100)
  expect(links.map(([document, target]) => problemOf(document, target)).filter(Boolean)).toEqual([])
})
