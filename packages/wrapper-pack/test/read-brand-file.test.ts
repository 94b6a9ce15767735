import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { neutralIcon } from '../src/brand/icon.ts'
import { readBrandFile } from '../src/brand/read-brand-file.ts'
import { brandFile } from './support/pack.ts'

const examples = fileURLToPath(new URL('../../../docs/examples/', import.meta.url))

const component = 'export const Component = { provide: () => ({ commands: [] }) }'

describe('readBrandFile', () => {
  test('reads the example, whose icon is the neutral one', async () => {
    const file = join(examples, 'brand/brand.json')
    expect(await readBrandFile(file)).toMatchObject({
      brand: { application: 'Acme.Client.WebWrapper', vendor: 'Acme Health', displayName: 'Acme Training' },
      version: '3.0.0.0',
      icon: join(examples, 'brand/acme.ico'),
      settings: { AppUrl: 'https://app.acme.example/', DistributorName: 'Acme Health' },
      upgradeCode: '0E54B22A-E39C-544B-B0F7-C49D17F78BC9',
    })
    expect(await readFile(join(examples, 'brand/acme.ico'))).toEqual(Buffer.from(neutralIcon()))
  })

  test('requires only a version, and accepts every member', async () => {
    await using folder = await temporaryFolder()
    expect(await readBrandFile(await brandFile(folder.path, {}))).toMatchObject({
      brand: { application: 'Service.Client.WebWrapper' },
      icon: undefined,
      settings: {},
      providerModules: [],
      entry: undefined,
      browser: undefined,
      sign: undefined,
    })
    await writeFile(join(folder.path, 'Acme.Journal.mjs'), component)
    await writeFile(join(folder.path, 'own.ts'), '')
    const all = {
      name: 'Acme',
      provider: 'Acme.Journal.Component, Acme.Journal',
      settings: { Culture: 'nb-NO', SignInOrigins: 'https://login.example', Zoom: '1.5' },
      language: 'nb',
      texts: { trayClose: 'Avslutt {name}' },
      registryKey: 'Software\\Acme Health\\Web Wrapper',
      providers: { legacyXml: ['Acme.Desktop.Legacy.Component, Acme.Desktop', 'Acme.Records, Acme'] },
      defaultProvider: 'arguments',
      requiredPerson: ['customId'],
      defaultEngines: ['WebViewBrowser'],
      readsOldSettings: false,
      providerModules: ['Acme.Journal.mjs'],
      entry: './own.ts',
      upgradeCode: '{920b2e45-9764-5395-b564-3b4fa43593ce}',
      sign: ['signtool', 'sign', '{file}'],
    }
    expect(await readBrandFile(await brandFile(folder.path, all))).toMatchObject({
      settings: {
        ProtocolProvider: 'Acme.Journal.Component, Acme.Journal',
        Culture: 'nb-NO',
        SignInOrigins: 'https://login.example',
        Zoom: '1.5',
      },
      language: 'nb',
      texts: all.texts,
      brand: {
        registryKey: all.registryKey,
        providerAliases: { legacyXml: ['Acme.Records, Acme'] },
        defaultProvider: 'arguments',
        requiredPerson: ['customId'],
        defaultEngines: ['WebViewBrowser'],
        readsOldSettings: false,
      },
      providerModules: [join(folder.path, 'Acme.Journal.mjs')],
      entry: join(folder.path, 'own.ts'),
      upgradeCode: '920B2E45-9764-5395-B564-3B4FA43593CE',
      sign: { argv: ['signtool', 'sign', '{file}'], folder: folder.path },
    })
  })

  const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ colour: 'blue' }, 'colour is not known'],
    [{ name: 'a', constructor: 'b' }, 'constructor is not known'],
    [{ version: undefined }, 'version is missing'],
    [{ version: 3 }, 'version must be a text'],
    [{ version: '3.0.0' }, 'version must be four numbers'],
    [{ version: ' 3.0.0.0' }, 'version must be four numbers'],
    [{ version: '3.00.0.0' }, 'version must be numbers without leading zeros'],
    [{ version: '2.1.4.19786' }, 'version must be at least 2.1.4.19787'],
    [{ version: '256.0.0.0' }, 'version must be at most 255.255.65535.65535'],
    [{ version: '3.0.0.65536' }, 'version must be at most 255.255.65535.65535'],
    [{ name: 'a b' }, 'name needs letters'],
    [{ name: 3 }, 'name must be text'],
    [{ vendor: '..' }, 'vendor needs a folder name'],
    [{ appUrl: 'app.example' }, 'appUrl needs an absolute http or https URL'],
    [{ registryKey: 'Acme' }, 'registryKey needs a path'],
    [{ providers: ['A.mjs'] }, 'providers must be an object'],
    [{ providers: { xml: 'A.B, A' } }, 'providers.xml is not known'],
    [{ requiredPerson: ['firstname'] }, 'requiredPerson needs a list with customId'],
    [{ readsOldSettings: 'no' }, 'readsOldSettings must be true or false'],
    [{ provider: 'Component' }, 'provider must be a type name'],
    [{ settings: { Colour: 'blue' } }, 'settings.Colour is not a setting'],
    [{ settings: { SsoURL: 'x' } }, 'settings.SsoURL is not a setting; did you mean SsoUrl?'],
    [{ settings: { toString: 'blue' } }, 'settings.toString is not a setting'],
    [{ settings: { Zoom: '9' } }, 'settings.Zoom must be empty or a number from 0.25 to 5'],
    [{ language: 'norsk bokmål' }, 'language must be a language tag'],
    [{ texts: { trayClose: '<b>' } }, 'texts.trayClose must be one line without markup'],
    [{ texts: { trayExit: 'Exit' } }, 'texts.trayExit is no text of the wrapper'],
    [{ settings: { Culture: '?' } }, 'settings.Culture must be empty or a language tag'],
    [{ settings: { Debug: true } }, 'settings.Debug must be a text'],
    [{ settings: { AppUrl: 'https://app.example' } }, 'settings.AppUrl is named appUrl here'],
    [{ icon: 'none.ico' }, 'icon is not there or cannot be read (ENOENT)'],
    [{ icon: 'brand.json' }, 'icon must be a Windows icon'],
    [{ icon: '.' }, 'icon must be a file'],
    [{ iconOnLight: 'brand.json' }, 'iconOnLight must be a Windows icon'],
    [{ providerModules: ['brand.json'] }, 'providerModules.0 must be named <Assembly>.mjs'],
    [{ providerModules: ['A.mjs', 'below/a.mjs'] }, 'providerModules.1 has the name of providerModules.0'],
    [{ providerModules: ['none/A.mjs'] }, 'providerModules.0 is not there'],
    [{ providerModules: ['Broken.mjs'] }, 'providerModules.0 is no module that loads: Unexpected'],
    [
      { providerModules: ['Package.mjs'] },
      'providerModules.0 imports left-pad, which is neither of Node nor',
    ],
    [{ providerModules: ['Nothing.mjs'] }, 'providerModules.0 exports no provider'],
    [{ provider: 'Acme.Journal, Acme.Journal' }, 'provider needs a module Acme.Journal.mjs'],
    [{ provider: 'A.Other, A', providerModules: ['A.mjs'] }, 'provider names A.Other, which A.mjs does not'],
    [{ updateUrl: 'http://get.example' }, 'updateUrl needs an absolute https URL, or http to this machine'],
    [{ settings: { SsoUrl: 'https://a.example/partner/payload' } }, 'settings.SsoUrl must end before'],
    [{ entry: 'own.ts' }, 'entry is not there'],
    [{ upgradeCode: '1234' }, 'upgradeCode must be a GUID'],
    [{ sign: 'signtool sign' }, 'sign must be a list'],
    [{ sign: [] }, 'sign must begin with a program'],
    [{ sign: ['{file}'] }, 'sign needs an argument with {file}'],
    [{ sign: ['signtool', 'sign'] }, 'sign needs an argument with {file}'],
  ]
  test.each(refused)('%j is refused: %s', async (content, problem) => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 'below'))
    for (const name of ['A.mjs', 'below/a.mjs']) await writeFile(join(folder.path, name), component)
    await writeFile(join(folder.path, 'Broken.mjs'), 'export default {')
    await writeFile(join(folder.path, 'Package.mjs'), `import 'left-pad'\n${component}`)
    await writeFile(join(folder.path, 'Nothing.mjs'), 'export default 1')
    const file = await brandFile(folder.path, content)
    const error = await readBrandFile(file).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'ERR_BRAND_FILE', file })
    expect(String(error)).toContain(`\n  ${problem}`)
  })

  test('a module may import modules of Node and its siblings, which export what they want', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'Part.mjs'), 'export default 1')
    const imports = `import 'node:fs'\nimport part from './Part.mjs'\n`
    await writeFile(join(folder.path, 'A.mjs'), imports + component)
    const content = { provider: 'A.Component, A', providerModules: ['A.mjs', 'Part.mjs'] }
    expect((await readBrandFile(await brandFile(folder.path, content))).providerModules).toHaveLength(2)
  })

  test('reports all faults at once', async () => {
    await using folder = await temporaryFolder()
    const content = { icon: 'none.ico', settings: { Zoom: '9', Colour: 'x' }, entry: 'none.mjs' }
    const error = await readBrandFile(await brandFile(folder.path, content)).catch(reason => reason)
    expect(error.problems).toHaveLength(4)
  })

  test.each([
    ['no JSON', '{\n  "name": "Acme",\n}', 'the file must be JSON, in UTF-8; see line 3'],
    ['a list', '[]', 'the file must be an object'],
    ['a huge file', `"${'x'.repeat(300_000)}"`, 'the file must have at most 256 KiB'],
  ])('%s is refused', async (_, text, problem) => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'brand.json')
    await writeFile(file, text)
    await expect(readBrandFile(file)).rejects.toThrow(problem)
  })

  test('a missing file or a folder is refused', async () => {
    await using folder = await temporaryFolder()
    await expect(readBrandFile(join(folder.path, 'none.json'))).rejects.toThrow('cannot be read (ENOENT)')
    await expect(readBrandFile(folder.path)).rejects.toThrow('cannot be read (EISDIR)')
  })
})
