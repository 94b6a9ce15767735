// The list of parts of a release, as CycloneDX.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The part of a CycloneDX document that is read and completed. */
export interface Sbom {
  readonly metadata: { component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly object[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/**
 * Lists the packages of a release with what they depend on, by pnpm, and the packages of others whose code the build has put
 * into their files, by the licenses that lie there. Each of ours has the digest of its tarball.
 *
 * @param folder the repository, built
 * @param tarballs folder with the packed packages
 */
export function writeSbom(folder: string, tarballs: string): Sbom {
  const boms = readBoms(folder)
  const ours = boms.map(({ metadata }) => metadata.component)
  const components = new Map(boms.flatMap(bom => bom.components).map(each => [each.purl, each]))
  const edges = new Map(
    boms.flatMap(bom => bom.dependencies).map(({ ref, dependsOn }) => [ref, new Set(dependsOn)]),
  )
  for (const component of ours) {
    const name = component.purl.split('/').at(-1)?.replace(/@.*/, '') ?? ''
    const [tarball = ''] = globSync(`*-${name}-${component.version}.tgz`, { cwd: tarballs })
    const content = createHash('sha512')
      .update(readFileSync(join(tarballs, tarball)))
      .digest('hex')
    components.set(component.purl, { ...component, hashes: [{ alg: 'SHA-512', content }] })
    const dependsOn = edges.get(component.purl) ?? new Set()
    for (const bundled of bundledIn(join(folder, 'packages', name))) {
      if (!components.has(bundled.purl)) components.set(bundled.purl, bundled)
      edges.set(component.purl, dependsOn.add(bundled.purl))
    }
  }
  const [first] = boms
  if (!first) throw new TypeError('There are no packages.')
  const version = ours[0]?.version ?? ''
  const whole = { type: 'library', name: 'service-link', version, 'bom-ref': `service-link@${version}` }
  return {
    ...first,
    metadata: { ...first.metadata, component: { ...whole, purl: `pkg:npm/service-link@${version}` } },
    components: [...components.values()],
    dependencies: [
      { ref: whole['bom-ref'], dependsOn: ours.map(({ purl }) => purl) },
      ...[...edges].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
    ],
  }
}

/** pnpm's list of each package. */
function readBoms(folder: string): readonly Sbom[] {
  const written = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    const args = [
      '--filter',
      './packages/*',
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-spec-version',
      '1.6',
    ]
    execFileSync('pnpm', [...args, '--prod', '--split', '--out', join(written, '%s.json')], {
      cwd: folder,
      shell: process.platform === 'win32',
    })
    return globSync('*.json', { cwd: written })
      .sort()
      .map(file => JSON.parse(readFileSync(join(written, file), 'utf8')))
  } finally {
    rmSync(written, { recursive: true })
  }
}

/** Packages of others in the files of a built package. */
function bundledIn(folder: string): readonly Component[] {
  const files = globSync('dist/**/*licenses.txt', { cwd: folder })
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n')
  return Array.from(texts.matchAll(/^((?:@[\w-]+\/)?[\w.-]+) (\d+\.\d\S*) \((.+)\)$/gm), found => {
    const [, name = '', version = '', expression = ''] = found
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression }] }
  })
}
