// The addresses of the repository and of its site stand in the root's package.json. `node scripts/address.ts` writes them wherever
// they are needed: in manifests, links of READMEs, CODEOWNERS and sources. Change the root's, then run it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './structure.ts'

/** Where a manifest says that its package comes from. */
interface Address {
  /** Such as `https://github.com/service-link/service-link`. */
  readonly repository: string
  /** Such as `https://service-link.github.io/service-link/`. */
  readonly site: string
}

/** Reads the addresses of a manifest, by default the root's. */
export function readAddress(folder = '.'): Address {
  const { repository, homepage } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return { repository: repository.url.replace(/^git\+|\.git$/g, ''), site: homepage }
}

/** A published package says which address the others have. */
const witness = 'packages/protocol-core'

/** Files that name a former address: path → text with the root's. */
export function staleAddresses(): ReadonlyMap<string, string> {
  const [now, former] = [readAddress(), readAddress(witness)]
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const stale = new Map<string, string>()
  for (const path of listed.split('\n')) {
    if (!/\.(?:[cm]?[jt]sx?|json|md|ya?ml|html|vue)$|CODEOWNERS$/.test(path)) continue
    if (!existsSync(join(root, path))) continue
    const text = readFileSync(join(root, path), 'utf8')
    let addressed = text.replaceAll(former.repository, now.repository).replaceAll(former.site, now.site)
    if (path.endsWith('CODEOWNERS')) addressed = addressed.replaceAll(ownerOf(former), ownerOf(now))
    if (addressed !== text) stale.set(path, addressed)
  }
  return stale
}

/** Such as `@service-link/`, with which the teams of the repository's owner begin. */
function ownerOf({ repository }: Address): string {
  return `@${new URL(repository).pathname.split('/')[1]}/`
}

if (import.meta.main) for (const [path, text] of staleAddresses()) writeFileSync(join(root, path), text)
