import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import rootManifest from '../package.json' with { type: 'json' }
import { staleAddresses } from '../scripts/address.ts'

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
  readonly publishConfig: { readonly exports: Record<string, unknown> }
  readonly dependencies: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly [fact: string]: unknown
}

/** Each package, in layer order: its permitted workspace dependencies and its entries. */
const packages = {
  'protocol-core': {
    dependsOn: [],
    entries: [
      '.',
      './frame',
      './brand',
      './embedding',
      './errors',
      './person',
      './time',
      './windows',
      './json-schema/*.json',
    ],
  },
  'cli-args': { dependsOn: ['protocol-core'], entries: ['.'] },
  'xml-input': { dependsOn: ['protocol-core'], entries: ['.'] },
  'jwt-payload': {
    dependsOn: ['protocol-core'],
    entries: ['.', './browser', './steps'],
    // Nothing upwards but one import, marked in src/cli/serve.ts: it loads `receiver` where that is installed.
  },
  receiver: {
    dependsOn: ['protocol-core', 'jwt-payload'],
    entries: ['.', './node', './testing', './test-service', './openapi.json'],
  },
  'pipe-client': { dependsOn: ['protocol-core'], entries: ['.', './running', './records'] },
  'window-engine': { dependsOn: ['protocol-core'], entries: ['.', './testing'] },
  'wrapper-host': {
    dependsOn: ['protocol-core', 'cli-args', 'xml-input', 'pipe-client', 'window-engine'],
    entries: ['.', './page', './testing', './packing'],
  },
  'wrapper-pack': { dependsOn: ['protocol-core', 'wrapper-host'], entries: [] },
  conformance: { dependsOn: ['protocol-core', 'jwt-payload', 'pipe-client', 'wrapper-host'], entries: ['.'] },
} as const

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8'))
}

test.each([
  ['packages', Object.keys(packages)],
  // Private: bundled into the programs of the others, or for builds and tests.
  ['internal', ['bundling', 'terminal', 'test-kit', 'ui']],
])('%s/ holds exactly these', (folder, names) => {
  expect(
    readdirSync(new URL(`../${folder}/`, import.meta.url), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
      .sort(),
  ).toEqual([...names].sort())
})

test.each(Object.entries(packages))('%s depends on lower layers only', (name, { dependsOn }) => {
  const { dependencies, peerDependencies = {} } = manifest(name)
  const ours = Object.keys({ ...dependencies, ...peerDependencies })
    .filter(dependency => dependency.startsWith('@service-link/'))
    .map(dependency => dependency.slice('@service-link/'.length))
  expect(ours.sort()).toEqual([...dependsOn].sort())
})

test.each(Object.entries(packages))(
  '%s has these entries, in the workspace and as published',
  (name, { entries }) => {
    const { exports, publishConfig } = manifest(name)
    expect(Object.keys(exports)).toEqual([...entries, './package.json'])
    expect(Object.keys(publishConfig.exports)).toEqual([...entries, './package.json'])
    expect(JSON.stringify(publishConfig.exports)).not.toContain('src/')
  },
)

test.each(Object.entries(packages))(
  '%s says where it comes from, and is checked as packed',
  (name, { entries }) => {
    const { homepage, repository } = rootManifest
    expect(manifest(name)).toMatchObject({
      license: 'MIT',
      author: 'The service-link authors',
      homepage,
      repository: { ...repository, directory: `packages/${name}` },
      keywords: expect.arrayContaining(['service-link']),
      scripts: {
        'pack-check': `publint --strict${entries.length > 0 ? ' && attw --pack . --profile esm-only' : ''}`,
      },
    })
  },
)

test('the address of the repository is everywhere that of the root’s package.json', () => {
  expect([...staleAddresses().keys()], 'Run: node scripts/address.ts').toEqual([])
})

test('all published packages have one version', () => {
  const { fixed } = JSON.parse(readFileSync(new URL('../.changeset/config.json', import.meta.url), 'utf8'))
  expect(fixed).toEqual([Object.keys(packages).map(name => `@service-link/${name}`)])
  expect(new Set(Object.keys(packages).map(name => manifest(name).version)).size).toBe(1)
})

test('change sets name published packages alone', () => {
  const folder = new URL('../.changeset/', import.meta.url)
  const texts = readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .map(file => readFileSync(new URL(file, folder), 'utf8'))
  const named = texts.flatMap(text =>
    [...(text.split('---')[1] ?? '').matchAll(/'@service-link\/([^']+)'/g)].map(([, name]) => name),
  )
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(named))
})
