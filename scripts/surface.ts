// What users of the packages build on: exports, codes, schemas, settings, limits, programs. `npm run surface` writes it to
// surface.txt, so that a review sees each change.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Terminal } from '../internal/terminal/src/index.ts'
import { memoryTerminal } from '../internal/terminal/src/testing.ts'
import { runServiceConformance } from '../packages/conformance/src/cli/run-service-conformance.ts'
import { runServicePayload } from '../packages/jwt-payload/src/cli/run-service-payload.ts'
import { runServicePipe } from '../packages/pipe-client/src/cli/run-service-pipe.ts'
import { defaultBrand, settingsTable } from '../packages/protocol-core/src/index.ts'
import { runSubcommand } from '../packages/wrapper-host/src/cli/subcommands.ts'
import { root } from './structure.ts'
import { readExports } from './surface-exports.ts'

export const surfaceFile = join(root, 'surface.txt')

const identity = { programName: 'service-webwrapper', brand: defaultBrand, version: '0.0.0.0' }

type RunProgram = (argv: readonly string[], terminal: Terminal) => Promise<unknown>

/** How each program of a package is run. */
const programs: Readonly<Record<string, RunProgram>> = {
  'service-conformance': runServiceConformance,
  'service-payload': runServicePayload,
  'service-pipe': runServicePipe,
  'service-webwrapper': (argv, terminal) => runSubcommand(argv, identity, terminal),
  'service-webwrapper-pack': async (argv, terminal) => {
    // By its path: the package brings types of browsers, which the others must do without.
    const { runServiceWebwrapperPack }: Readonly<Record<string, RunProgram>> = await import(packProgram)
    return runServiceWebwrapperPack?.(argv, terminal)
  },
}

const packProgram = join(root, 'packages/wrapper-pack/src/run-service-webwrapper-pack.ts')

const documents = globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: root })
  .map(file => readFileSync(join(root, file), 'utf8'))
  .join('\n')

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Reads the surface of all packages: a fact a line, sorted by package. */
export async function readSurface(): Promise<string> {
  const folders = globSync('packages/*/package.json', { cwd: root }).map(file => basename(join(file, '..')))
  const packages = folders.sort().map(name => {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    const entries = Object.entries(manifest.exports).flatMap(([entry, target]) => {
      const source = typeof target === 'string' ? undefined : target['@service-link/source']
      return source ? [[entry, join('packages', name, source)] as const] : []
    })
    return { name, manifest, entries }
  })
  const exports = readExports(packages.flatMap(({ entries }) => entries.map(([, source]) => source)))
  const facts = packages.map(async ({ name, manifest, entries }) => {
    const lines = [
      `node ${manifest.engines.node}`,
      ...entries.flatMap(([entry, source]) => exports.get(source)?.map(fact => `${entry} ${fact}`) ?? []),
      ...(await Promise.all(entries.map(([, source]) => constantsOf(source)))).flat(),
      ...codesOf(name),
      ...schemasOf(name),
      ...variablesOf(name),
      ...(name === 'protocol-core' ? settings() : []),
      ...(await Promise.all(Object.keys(manifest.bin ?? {}).map(optionsOf))).flat(),
    ]
    return [...new Set(lines)].map(line => `${name} ${line}\n`).join('')
  })
  return (await Promise.all(facts)).join('\n')
}

/** Values of exported limits, and names in exported lists, such as the arguments of the wrapper. */
async function constantsOf(source: string): Promise<string[]> {
  const exported = Object.entries<unknown>(await import(join(root, source)))
  const lines = exported.map(([name, value]) => {
    if (typeof value === 'number') return `limit ${name} = ${value}`
    const isList = Array.isArray(value) && value.every(item => typeof item === 'string')
    return isList ? `list ${name} { ${value.toSorted().join(', ')} }` : ''
  })
  return lines.filter(line => line !== '').sort()
}

/** The sources of a package, without tests. */
function sourcesOf(name: string): string {
  const files = globSync(`packages/${name}/src/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] })
  return files.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
}

function codesOf(name: string): string[] {
  const defined = sourcesOf(name).matchAll(/^(?!\s*\*).* define\w+\((?:\w+\)\()?\s*'(ERR_\w+)'/gm)
  return [...new Set(Array.from(defined, ([, code]) => `code ${code}`))].sort()
}

/** Variables of the environment that a document names. */
function variablesOf(name: string): string[] {
  const named = new Set(sourcesOf(name).match(/\bSERVICE_[A-Z_]+\b/g))
  return [...named]
    .filter(variable => documents.includes(variable))
    .sort()
    .map(each => `variable ${each}`)
}

function schemasOf(name: string): string[] {
  const files = globSync(`packages/${name}/json-schema/*.json`, { cwd: root }).sort()
  return files.map(file => {
    const digest = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex')
    return `schema ${basename(file)} sha256 ${digest.slice(0, 16)}`
  })
}

function settings(): string[] {
  const table = Object.entries(settingsTable(defaultBrand))
  return table.map(([name, { scope, defaultText }]) => `setting ${name} (${scope}) = ${defaultText}`)
}

/** Options and subcommands of a program, as its help has them. */
async function optionsOf(program: string): Promise<string[]> {
  const run = programs[program]
  if (!run) throw new TypeError(`scripts/surface.ts does not know how to run ${program}.`)
  const helpOf = async (argv: readonly string[]) => {
    const terminal = memoryTerminal()
    await run(argv, terminal)
    return terminal.printed()
  }
  const help = await helpOf(['--help'])
  const described = (words: string, text: string) => {
    const flags = Array.from(text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, flag = '']) => flag)
    return `program ${words}${flags.length > 0 ? ` { ${flags.sort().join(', ')} }` : ''}`
  }
  const [, listed = ''] = /^Subcommands:\n((?: .*\n)+)/m.exec(help) ?? []
  const names = Array.from(listed.matchAll(/^ {2}(\w\S*)/gm), ([, name = '']) => name)
  const subcommands = names
    .filter(name => name !== 'help')
    .map(async name => described(`${program} ${name}`, await helpOf([name, '--help'])))
  return [described(program, help), ...(await Promise.all(subcommands)).sort()]
}

if (import.meta.main) writeFileSync(surfaceFile, await readSurface())
