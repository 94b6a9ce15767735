import { createHash } from 'node:crypto'
import { nameGuid } from './brand/name-guid.ts'
import type { Program } from './bundle-program.ts'
import { PackError, type PackPlan, type PackTarget } from './pack-plan.ts'
import { runTool } from './run-tool.ts'

interface WriteSbomOptions {
  readonly plan: PackPlan
  readonly target: PackTarget
  readonly program: Program
  readonly node: {
    /** Three parts. */
    readonly version: string
    /** Of the file that becomes the executable, SHA-256 in hex. */
    readonly digest: string
    /** Its parts by name, such as `openssl` → `3.5.4`. */
    readonly parts: Readonly<Record<string, string>>
  }
  /** File name, when there is one. */
  readonly launcher: string | undefined
  /** Modules of providers: file name → content. */
  readonly modules: ReadonlyMap<string, Uint8Array>
  /** Further programs that the folder holds, such as a browser. */
  readonly others: readonly SbomComponent[]
}

/** A component, as CycloneDX writes it. */
export interface SbomComponent {
  readonly type: 'application' | 'library' | 'platform' | 'file'
  readonly name: string
  readonly version?: string
  readonly purl?: string
  readonly cpe?: string
  readonly hashes?: readonly { readonly alg: 'SHA-256'; readonly content: string }[]
  readonly licenses?: readonly (
    | { readonly expression: string }
    | { readonly license: { readonly id: string } }
  )[]
  readonly components?: readonly SbomComponent[]
}

/**
 * Writes what a packed wrapper consists of, as far as the packer knows, as CycloneDX 1.6 (ECMA-424). Pure: the same content has the same
 * text, and no time.
 */
export function writeSbom({
  plan,
  target,
  program,
  node,
  launcher,
  modules,
  others,
}: WriteSbomOptions): string {
  const { brand, version, upgradeCode } = plan
  const isNodePart = (name: string) => !['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'].includes(name)
  const packages = program.packages.map(
    ({ name, version, license }): SbomComponent => ({
      ...{ type: 'library', name, version },
      licenses: [{ expression: license }],
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    }),
  )
  const components: readonly SbomComponent[] = [
    {
      ...{ type: 'platform', name: 'node', version: node.version },
      hashes: [{ alg: 'SHA-256', content: node.digest }],
      licenses: [{ license: { id: 'MIT' } }],
      cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/node@${node.version}`,
      components: Object.entries(node.parts)
        .filter(([name]) => isNodePart(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, version]) => ({ type: 'library', name, version })),
    },
    ...packages,
    ...(launcher === undefined ? [] : [{ type: 'application', name: launcher, version } as const]),
    ...Array.from(modules, ([name, content]): SbomComponent => {
      const digest = createHash('sha256').update(content).digest('hex')
      return { type: 'file', name, hashes: [{ alg: 'SHA-256', content: digest }] }
    }),
    ...others,
  ]
  const executable = target.executable(brand)
  const text = JSON.stringify({ executable, version, components })
  const digits = nameGuid(upgradeCode, `sbom:${text}`).toLowerCase()
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      ...{ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${digits}`, version: 1 },
      metadata: {
        component: {
          ...{ type: 'application', 'bom-ref': executable, name: brand.displayName, version },
          supplier: { name: brand.vendor },
        },
      },
      components: components.map(component => ({ 'bom-ref': referenceOf(component), ...component })),
      dependencies: [{ ref: executable, dependsOn: components.map(referenceOf) }],
    },
    null,
    2,
  )}\n`
}

function referenceOf({ type, name, version, purl }: SbomComponent): string {
  return purl ?? `${type}:${name}${version === undefined ? '' : `@${version}`}`
}

const partsTimeoutMs = 60_000

/**
 * Asks a Node for the versions of its parts.
 *
 * @param node one that runs here, of the version that is packed
 */
export async function partsOfNode(
  node: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const end = await runTool(node, ['--print', 'JSON.stringify(process.versions)'], {
    timeoutMs: partsTimeoutMs,
    signal,
  })
  if (end.exitCode !== 0) throw new PackError(`${node} does not name its parts.`)
  return JSON.parse(end.stdout)
}
