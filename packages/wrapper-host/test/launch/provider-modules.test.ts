import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createProviderTable } from '../../src/launch/provider-table.ts'
import { providerInput } from '../support/provider-input.ts'
import { isWine } from '../support/wine.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

/** A module with a provider that returns one query. */
const working = `export const Component = {
  provide: async () => ({ commands: [{ name: 'queryexercises', args: { text: 'own' } }] }),
}`

/** An application root with the folder `providers`, and a function that launches. */
async function applicationRoot(files: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder()
  const root = join(folder.path, 'root')
  const providers = join(root, 'providers')
  await mkdir(providers, { recursive: true, mode: 0o755 })
  for (const name of [root, providers]) await chmod(name, 0o755)
  for (const [name, source] of Object.entries(files))
    await writeFile(join(providers, name), source, { mode: 0o644 })
  const tableOf = (path: string) =>
    createProviderTable({ brand: defaultBrand, setting: 'None, None', applicationRoot: path })
  const table = tableOf(root)
  return {
    outside: folder.path,
    root,
    providers,
    async provide(provider: string, at = table) {
      const input = providerInput([])
      return (await at.choose({ provider })).provider.provide(input)
    },
    tableOf,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const own = { commands: [{ name: 'queryexercises', args: { text: 'own' } }] }

describe('an integrator’s provider', () => {
  test.each(['Acme.Journal.Component, Acme.Journal', ' Component , Acme.Journal '])(
    '[4.2-provider] may be the export named by the one part after the assembly: %s',
    async name => {
      await using at = await applicationRoot({ 'Acme.Journal.mjs': working })
      expect(await at.provide(name)).toEqual(own)
    },
  )

  test('[4.2-provider] is the export named as the whole type, which tells types of one assembly apart', async () => {
    const provider = (text: string) =>
      `{ provide: async () => ({ commands: [{ name: 'queryexercises', args: { text: '${text}' } }] }) }`
    await using at = await applicationRoot({
      'Acme.Desktop.mjs': `
const one = ${provider('own')}
const other = ${provider('other')}
export { one as 'Acme.Desktop.Arguments.Component', other as 'Acme.Desktop.Legacy.Component', other as Component }`,
    })
    expect(await at.provide('Acme.Desktop.Arguments.Component, Acme.Desktop')).toEqual(own)
    expect(await at.provide('Acme.Desktop.Legacy.Component, Acme.Desktop')).not.toEqual(own)
    for (const type of ['Acme.Desktop.Records.Component', 'Other.Component', 'Acme.Desktop'])
      await expect(at.provide(`${type}, Acme.Desktop`)).rejects.toMatchObject({ fault: 'export' })
  })

  // Wine makes no junctions.
  test.skipIf(isWine)('may lie behind an application root that is a link', async () => {
    await using at = await applicationRoot({ 'Acme.mjs': working })
    const link = join(at.outside, 'current')
    await symlink(at.root, link, 'junction')
    expect(await at.provide('Component, Acme', at.tableOf(link))).toEqual(own)
  })

  test('is loaded once, at its first launch', async () => {
    const counting = `globalThis.loadedProviders = (globalThis.loadedProviders ?? 0) + 1\n${working}`
    await using at = await applicationRoot({ 'Acme.mjs': counting, 'Other.mjs': counting })
    const loaded = () => Reflect.get(globalThis, 'loadedProviders')
    try {
      await expect(at.provide('None, None')).rejects.toMatchObject({ code: 'ERR_PROVIDER_UNKNOWN' })
      expect(loaded()).toBeUndefined()
      await Promise.all([at.provide('Component, Acme'), at.provide('Component, Acme')])
      await at.provide('Component, Acme')
      expect(loaded()).toBe(1)
    } finally {
      Reflect.deleteProperty(globalThis, 'loadedProviders')
    }
  })

  test('does not replace a built-in one', async () => {
    await using at = await applicationRoot({ 'Service.Desktop.mjs': working })
    expect(await at.provide(defaultBrand.providers.arguments)).toEqual({ commands: [] })
  })

  test('that is missing is refused with the existing assemblies', async () => {
    await using at = await applicationRoot({ 'Acme.mjs': working, 'notes.txt': '' })
    const message = expect.stringMatching(/ Assemblies in the folder providers: "Acme"\.$/)
    for (const name of ['Component, Acm', 'Component, acme', 'Component, Acme.mjs', 'Component, notes.txt'])
      await expect(at.provide(name)).rejects.toMatchObject({ code: 'ERR_PROVIDER_UNKNOWN', message })
  })

  test('outside the folder is not found, whatever its name says', async () => {
    await using at = await applicationRoot()
    const evil = 'globalThis.isEvilLoaded = true'
    await writeFile(join(at.outside, 'evil.mjs'), evil)
    await writeFile(join(at.root, 'evil.mjs'), evil)
    await mkdir(join(at.providers, 'below'))
    await writeFile(join(at.providers, 'below', 'evil.mjs'), evil)
    const places = [
      '../evil',
      '../../evil',
      join(at.outside, 'evil'),
      'below/evil',
      'below\\evil',
      'evil',
      '%2e%2e%2fevil',
    ]
    for (const place of [
      ...places,
      ...places.map(name => `${name}.mjs`),
      'node:fs',
      `data:text/javascript,${evil}`,
    ])
      await expect(at.provide(`Component, ${place}`)).rejects.toMatchObject({ code: 'ERR_PROVIDER_UNKNOWN' })
    expect('isEvilLoaded' in globalThis).toBe(false)
  })

  test('is unknown without its folder', async () => {
    await using at = await applicationRoot()
    await rename(at.providers, join(at.outside, 'moved'))
    await expect(at.provide('Component, Acme')).rejects.toMatchObject({ code: 'ERR_PROVIDER_UNKNOWN' })
    await writeFile(join(at.root, 'file'), '')
    const table = at.tableOf(join(at.root, 'file'))
    await expect(at.provide('Component, Acme', table)).rejects.toMatchObject({ code: 'ERR_PROVIDER_UNKNOWN' })
  })
})

type Place = Awaited<ReturnType<typeof applicationRoot>>
type Spoil = (at: Place & { readonly file: string }) => Promise<unknown>

/** Replaces a path by a link to where it was moved. */
async function replaceByLink(path: string, to: string): Promise<void> {
  await rename(path, to)
  await symlink(to, path)
}

const spoilers: readonly [title: string, spoil: Spoil, message: string][] = [
  ['a folder', async ({ file }) => rm(file).then(() => mkdir(file)), 'providers/Acme.mjs'],
]
const onPosix: typeof spoilers = [
  ['a link', ({ file, outside }) => replaceByLink(file, join(outside, 'real.mjs')), 'Acme.mjs is a link'],
  [
    'a link within the folder',
    ({ file, providers }) => replaceByLink(file, join(providers, 'Real.mjs')),
    'Acme.mjs is a link',
  ],
  [
    'in a folder that is a link',
    ({ providers, outside }) => replaceByLink(providers, join(outside, 'elsewhere')),
    'The folder providers is a link',
  ],
  ['a named pipe', async ({ file }) => rm(file).then(() => execFileSync('mkfifo', [file])), 'Acme.mjs'],
  [
    'writable by its group',
    ({ file }) => chmod(file, 0o664),
    'providers/Acme.mjs may be changed by other users (chmod go-w)',
  ],
  [
    'in a folder that everybody may write to',
    ({ providers }) => chmod(providers, 0o777),
    'The folder providers may be changed',
  ],
  [
    'in an application root that others may write to',
    ({ root }) => chmod(root, 0o757),
    'The application root may be changed',
  ],
]
const asRoot: typeof spoilers = [
  ['another user’s (needs root)', ({ file }) => chown(file, 65534, 65534), 'belongs to another user'],
]

test.each([...spoilers, ...(isPosix ? onPosix : []), ...(isRoot ? asRoot : [])])(
  'a module is forbidden because it is %s',
  async (_title, spoil, message) => {
    await using at = await applicationRoot({ 'Acme.mjs': working })
    await spoil({ ...at, file: join(at.providers, 'Acme.mjs') })
    await expect(at.provide('Component, Acme')).rejects.toMatchObject({
      code: 'ERR_PROVIDER_MODULE',
      fault: /change|another user/.test(message) ? 'access' : 'not-a-file',
      message: expect.stringContaining(message),
    })
  },
)

const lacks = 'has no provider under the type’s whole name. It exports'

describe('a module without a provider', () => {
  test.each<[string, string, string, string]>([
    ['throws', 'throw new Error("Secret")', 'load', 'did not load (Error)'],
    ['throws a word', 'throw "Secret"', 'load', 'did not load (no error)'],
    ['is no JavaScript', 'export const Secret = ', 'load', 'did not load ('],
    ['imports what is not there', 'import "./Secret.mjs"', 'load', 'did not load (ERR_MODULE_NOT_FOUND)'],
    ['exports nothing', 'const Secret = 1', 'export', `${lacks}: nothing.`],
    ['exports under another name', 'export const Componente = {}', 'export', `${lacks}: Componente.`],
    [
      'exports a function',
      'export function Component() { return "Secret" }',
      'export',
      'exports Component as a function or class. Export an object with a method provide',
    ],
    [
      'exports a class',
      'export class Component { async provide() {} }',
      'export',
      'exports Component as a function',
    ],
    [
      'exports nothing of use',
      'export const Component = null',
      'export',
      'exports Component, which is no object with',
    ],
  ])(
    'because it %s is refused each time, in words of the wrapper',
    async (_title, source, fault, message) => {
      await using at = await applicationRoot({ 'Acme.mjs': source })
      for (let attempt = 0; attempt < 2; attempt++) {
        const refused = await at.provide('Component, Acme').catch(error => error)
        expect(refused).toMatchObject({ code: 'ERR_PROVIDER_MODULE', fault })
        expect(refused.message).toContain(`providers/Acme.mjs ${message}`)
        expect(refused.message).not.toContain('Secret')
        expect(refused.cause).toBeUndefined()
      }
    },
  )

  test.each(['__proto__', 'then', 'toString', 'hasOwnProperty', 'default'])(
    'under the type %s, which no module exports',
    async type => {
      await using at = await applicationRoot({ 'Acme.mjs': working })
      await expect(at.provide(`${type}, Acme`)).rejects.toMatchObject({ fault: 'export' })
    },
  )
})
