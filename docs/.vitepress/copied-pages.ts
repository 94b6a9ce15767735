import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rootFolder } from './repository.ts'

/** Documents of the repository outside of `docs/` → their pages on the site, where the search finds them. */
export const copiedPages: ReadonlyMap<string, string> = new Map([
  ['CONTRIBUTING.md', 'repository/contributing.md'],
  ['SECURITY.md', 'repository/security.md'],
  ['VERSIONING.md', 'repository/versioning.md'],
  ...globSync('packages/*/README.md', { cwd: rootFolder })
    .map(file => file.replaceAll('\\', '/'))
    .sort()
    .map((file): [string, string] => [file, `repository/${file.split('/')[1]}.md`]),
])

/** Writes the pages, each with its document's path, from which its links go. Git ignores them. */
export function copyPages(): void {
  const docs = join(rootFolder, 'docs')
  rmSync(join(docs, 'repository'), { recursive: true, force: true })
  for (const [document, page] of copiedPages) {
    mkdirSync(dirname(join(docs, page)), { recursive: true })
    const text = readFileSync(join(rootFolder, document), 'utf8')
    writeFileSync(join(docs, page), `---\nsource: ${document}\n---\n\n${text}`)
  }
}
