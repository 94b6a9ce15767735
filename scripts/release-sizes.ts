// How large a release a change of the surface needs, and whether the change sets say so.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './structure.ts'

/** Of a release, as change sets name it. */
export type ReleaseSize = 'patch' | 'minor' | 'major'

const sizes: readonly ReleaseSize[] = ['patch', 'minor', 'major']

/** Facts that one surface has and another lacks. */
export interface SurfaceChange {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Compares two surfaces. Each member in braces is a fact. A changed value is removed and added. */
export function compareSurfaces(former: string, now: string): SurfaceChange {
  const [before, after] = [factsOf(former), factsOf(now)]
  return {
    removed: [...before].filter(fact => !after.has(fact)),
    added: [...after].filter(fact => !before.has(fact)),
  }
}

function factsOf(surface: string): Set<string> {
  const lines = surface.split('\n').filter(line => line !== '')
  return new Set(
    lines.flatMap(line => {
      const [, head = line, members] = /^(.*?) \{ (.*) \}$/.exec(line) ?? []
      return [head, ...(members?.split(', ').map(member => `${head}: ${member}`) ?? [])]
    }),
  )
}

/** The least size for each package: a loss needs a major release, from 1.0 on. All else is minor. */
export function neededSizes(
  { removed, added }: SurfaceChange,
  version: string,
): ReadonlyMap<string, ReleaseSize> {
  const loss = version.startsWith('0.') ? 'minor' : 'major'
  const packageOf = (fact: string) => fact.split(' ')[0] ?? ''
  return new Map([
    ...added.map(fact => [packageOf(fact), 'minor'] as const),
    ...removed.map(fact => [packageOf(fact), loss] as const),
  ])
}

/** The largest size that change sets give each package. */
export function readSizes(changeSets: readonly string[]): ReadonlyMap<string, ReleaseSize> {
  const given = new Map<string, ReleaseSize>()
  for (const text of changeSets)
    for (const [, name = '', size] of text.matchAll(/^['"]@service-link\/([\w-]+)['"]: (\w+)$/gm)) {
      const found = sizes.find(each => each === size)
      if (found && sizes.indexOf(found) > sizes.indexOf(given.get(name) ?? 'patch')) given.set(name, found)
    }
  return given
}

/**
 * Packages whose surface changed since the last release, with the size that no change set gives them. None where the change sets
 * have become versions already.
 */
export function missingSizes(surface: string): readonly string[] {
  const last = lastRelease()
  const { version } = JSON.parse(readFileSync(join(root, 'packages/protocol-core/package.json'), 'utf8'))
  if (last !== `v${version}`) return []
  const former = git('show', `${last}:surface.txt`)
  const files = globSync('.changeset/*.md', { cwd: root })
  const given = readSizes(files.map(file => readFileSync(join(root, file), 'utf8')))
  const needed = neededSizes(compareSurfaces(former, surface), version)
  return [...needed].flatMap(([name, size]) => {
    const isEnough = sizes.indexOf(given.get(name) ?? 'patch') >= sizes.indexOf(size)
    return isEnough ? [] : [`${name}: ${size}`]
  })
}

/** The tag of the last release. Undefined before the first one, and in a clone without tags. */
function lastRelease(): string | undefined {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname')
  return tags.split('\n').find(tag => tag !== '')
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 })
}
