import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Sbom, writeSbom } from '../../scripts/sbom.ts'
import { describePacked, folder, installed, packages } from './packed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The part of the library that is used. */
interface CycloneDx {
  readonly Spec: { readonly Version: Readonly<Record<'v1dot6', string>> }
  readonly Validation: {
    readonly JsonStrictValidator: new (version: string) => { validate(text: string): Promise<unknown> }
  }
}

/** Licenses of others that may be in what we ship. */
const permitted = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']

/** Names of all packages that npm installed for ours. */
function installedNames(): ReadonlySet<string> {
  const names = new Set(packages.map(({ name }) => name))
  for (const name of names) {
    const file = installed(`${name}/package.json`)
    // An optional one may be missing on this machine.
    if (!existsSync(file)) continue
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) names.add(needed)
  }
  return names
}

/** Names of the packages whose code the source maps find in our files. */
function bundledNames(): ReadonlySet<string> {
  const maps = globSync('node_modules/@service-link/*/dist/**/*.map', { cwd: folder })
  const sources = maps.flatMap((map): string[] => JSON.parse(readFileSync(join(folder, map), 'utf8')).sources)
  return new Set(sources.flatMap(source => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []))
}

describePacked('the list of parts of a release', () => {
  // A package of the workspace has it.
  const { Spec, Validation }: CycloneDx = createRequire(join(root, 'packages/wrapper-pack/package.json'))(
    '@cyclonedx/cyclonedx-library',
  )
  const sbom: Sbom = folder === '' ? Object({ components: [] }) : writeSbom(root, join(folder, 'tarballs'))
  const names = sbom.components.map(({ purl }) =>
    decodeURIComponent(purl.slice('pkg:npm/'.length)).replace(/@[^@]+$/, ''),
  )

  test('is CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(JSON.stringify(sbom))).toBeNull()
  })

  test('has each package that npm installs, and each whose code is in our files', () => {
    const [needed, bundled] = [installedNames(), bundledNames()]
    expect(needed.size).toBeGreaterThan(packages.length)
    expect([...bundled]).toContain('zod')
    expect(names).toEqual(expect.arrayContaining([...needed, ...bundled]))
  })

  test('has no license that asks more than to be named', () => {
    const named = sbom.components.map(component => JSON.stringify(component.licenses))
    const asked = named.flatMap(text =>
      Array.from(text.matchAll(/"(?:id|expression)":"([^"]+)"/g), ([, id]) => id),
    )
    expect(asked.length).toBe(sbom.components.length)
    expect(asked.filter(id => !permitted.includes(id ?? ''))).toEqual([])
  })
})
