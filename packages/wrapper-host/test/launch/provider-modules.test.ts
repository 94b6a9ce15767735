import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { CommandRunner } from '../../src/command/command-runner.ts'
import { LaunchQueue } from '../../src/launch/launch-queue.ts'
import { createProviderTable } from '../../src/launch/provider-table.ts'
import type { HostedWindow } from '../../src/web-app/open-web-app.ts'
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

describe('a forbidden module', () => {
  const cases: [
    string,
    boolean,
    (at: Awaited<ReturnType<typeof applicationRoot>>) => Promise<void>,
    string,
    string,
  ][] = [
    [
      'a link',
      isPosix,
      async ({ outside, providers }) => {
        await writeFile(join(outside, 'real.mjs'), working)
        await symlink(join(outside, 'real.mjs'), join(providers, 'Acme.mjs'))
      },
      'not-a-file',
      'providers/Acme.mjs is a link',
    ],
    [
      'a link within the folder',
      isPosix,
      async ({ providers }) => {
        await writeFile(join(providers, 'Real.mjs'), working)
        await symlink('Real.mjs', join(providers, 'Acme.mjs'))
      },
      'not-a-file',
      'providers/Acme.mjs is a link',
    ],
    [
      'in a folder that is a link',
      isPosix,
      async ({ root, outside, providers }) => {
        await writeFile(join(providers, 'Acme.mjs'), working)
        await rename(providers, join(outside, 'elsewhere'))
        await symlink(join(outside, 'elsewhere'), join(root, 'providers'))
      },
      'not-a-file',
      'The folder providers is a link',
    ],
    [
      'a folder',
      true,
      ({ providers }) => mkdir(join(providers, 'Acme.mjs')),
      'not-a-file',
      'providers/Acme.mjs',
    ],
    [
      'a named pipe',
      isPosix,
      async ({ providers }) => void execFileSync('mkfifo', [join(providers, 'Acme.mjs')]),
      'not-a-file',
      'providers/Acme.mjs',
    ],
    [
      'writable by its group',
      isPosix,
      async ({ providers }) => {
        await writeFile(join(providers, 'Acme.mjs'), working)
        await chmod(join(providers, 'Acme.mjs'), 0o664)
      },
      'access',
      'providers/Acme.mjs may be changed by other users (chmod go-w)',
    ],
    [
      'in a folder that everybody may write to',
      isPosix,
      async ({ providers }) => {
        await writeFile(join(providers, 'Acme.mjs'), working)
        await chmod(providers, 0o777)
      },
      'access',
      'The folder providers may be changed',
    ],
    [
      'in an application root that others may write to',
      isPosix,
      async ({ root, providers }) => {
        await writeFile(join(providers, 'Acme.mjs'), working)
        await chmod(root, 0o757)
      },
      'access',
      'The application root may be changed',
    ],
    [
      'another user’s (needs root)',
      isRoot,
      async ({ providers }) => {
        await writeFile(join(providers, 'Acme.mjs'), working)
        await chown(join(providers, 'Acme.mjs'), 65534, 65534)
      },
      'access',
      'providers/Acme.mjs belongs to another user',
    ],
  ]
  for (const [title, isPossible, make, fault, message] of cases)
    test.skipIf(!isPossible)(`because it is ${title}`, async () => {
      await using at = await applicationRoot()
      await make(at)
      await expect(at.provide('Component, Acme')).rejects.toMatchObject({
        code: 'ERR_PROVIDER_MODULE',
        fault,
        message: expect.stringContaining(message),
      })
    })
})

test('a module that never finishes loading delays neither its launch nor later ones', async () => {
  await using at = await applicationRoot({
    'Acme.mjs': 'await new Promise(() => undefined)\nexport const Component = {}',
  })
  const window = { show: async () => undefined }
  const opened = Promise.resolve({
    window,
    bridge: { state: { isSignedIn: true } },
    signIn: { isSignedIn: true, on: () => () => undefined },
  } as unknown as HostedWindow)
  const queue = new LaunchQueue({
    runner: new CommandRunner({ opened, version: '3.0.0.0', requestClose: () => undefined }),
    providers: at.tableOf(at.root),
    ssoUrl: 'https://sso.example',
    culture: 'en',
    providerTimeoutMs: 200,
  })
  const take = (...argv: string[]) => queue.take({ id: argv.join(), argv, workingDirectory: at.root })
  for (let attempt = 0; attempt < 2; attempt++) {
    const stuck = take('provider=Component, Acme')
    const next = take(`provider=${defaultBrand.providers.arguments}`)
    await expect(stuck).rejects.toMatchObject({ code: 'ERR_PROVIDER_TIMEOUT' })
    await expect(next).resolves.toMatchObject({ waits: false })
  }
})

describe('a module without a provider', () => {
  test.each<[string, string, string, string]>([
    ['throws', 'throw new Error("Secret")', 'load', 'did not load (Error)'],
    ['throws a word', 'throw "Secret"', 'load', 'did not load (no error)'],
    ['is no JavaScript', 'export const Secret = ', 'load', 'did not load ('],
    ['imports what is not there', 'import "./Secret.mjs"', 'load', 'did not load (ERR_MODULE_NOT_FOUND)'],
    [
      'exports nothing',
      'const Secret = 1',
      'export',
      'has no provider under the type’s whole name. It exports: nothing.',
    ],
    [
      'exports under another name',
      'export const Componente = {}',
      'export',
      'has no provider under the type’s whole name. It exports: Componente.',
    ],
    [
      'exports a function',
      'export function Component() { return "Secret" }',
      'export',
      'has no provider under the type’s whole name. It exports: Component.',
    ],
    [
      'exports a class',
      'export class Component { async provide() {} }',
      'export',
      'has no provider under the type’s whole name. It exports: Component.',
    ],
    [
      'exports nothing of use',
      'export const Component = null',
      'export',
      'has no provider under the type’s whole name. It exports: Component.',
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
