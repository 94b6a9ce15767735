import { describe, expect, test } from 'vitest'
import { thrownBy } from '../../test/support/vectors.ts'
import {
  assertBrand,
  type BrandOptions,
  defaultBrand,
  defineBrand,
  pipeAddress,
  pipeName,
  unixPipeFolder,
} from './brand.ts'

describe('defineBrand', () => {
  test('the default has the specification’s names', () => {
    expect(defaultBrand).toEqual({
      name: 'Service',
      vendor: 'Service',
      application: 'Service.Client.WebWrapper',
      displayName: 'Service',
      color: '#2563a8',
      executable: 'Service.Client.WebWrapper.exe',
      configFile: 'Service.Client.WebWrapper.exe.config',
      applicationId: 'Service.Service.Client.WebWrapper',
      pipePrefix: 'servicepipe',
      xmlRoot: 'serviceinput',
      registryKey: 'Software\\Service\\Service.Client.WebWrapper',
      providers: {
        arguments: 'Service.Desktop.Arguments.Component, Service.Desktop',
        legacyXml: 'Service.Desktop.Legacy.Component, Service.Desktop',
        namedPipe: 'Service.Desktop.NamedPipe.Component, Service.Desktop',
        partnerLink: 'Service.Desktop.PartnerLink.Component, Service.Desktop',
      },
      providerAliases: { arguments: [], legacyXml: [], namedPipe: [], partnerLink: [] },
      defaultProvider: 'legacyXml',
      appUrl: '{app_url}',
      updateUrl: '{webwrapper_site}',
      requiredPerson: ['customId', 'firstname', 'lastname', 'dateOfBirth'],
      defaultEngines: [],
      readsOldSettings: true,
    })
  })

  test('each name can be set separately', () => {
    const brand = defineBrand({
      name: 'Acme',
      vendor: 'Acme Health AS',
      application: 'AcmeWrapper',
      displayName: 'Acme – trening',
      pipePrefix: 'acme_2',
      xmlRoot: 'acme',
      appUrl: 'https://app.example/x?y=1',
      updateUrl: 'http://localhost:8080',
    })
    expect(brand).toMatchObject({
      registryKey: 'Software\\Acme Health AS\\AcmeWrapper',
      configFile: 'AcmeWrapper.exe.config',
      displayName: 'Acme – trening',
      pipePrefix: 'acme_2',
      xmlRoot: 'acme',
    })
  })

  test('takes what an older wrapper did', () => {
    const records = 'Acme.Desktop.Records.Component, Acme.Desktop'
    const journal = 'Acme.Journal, Acme'
    const options: BrandOptions = {
      name: 'Acme',
      registryKey: 'Software\\Acme Health (Åse & Co.)\\Web Wrapper',
      providers: { legacyXml: ['Acme.Desktop.Legacy.Component, Acme.Desktop', records], arguments: journal },
      defaultProvider: 'arguments',
      requiredPerson: ['customId', 'lastname'],
      defaultEngines: ['WebViewBrowser'],
      readsOldSettings: false,
    }
    const { providers: _, ...same } = options
    expect(defineBrand(options)).toMatchObject({
      ...same,
      providers: {
        arguments: journal,
        legacyXml: 'Acme.Desktop.Legacy.Component, Acme.Desktop',
        partnerLink: 'Acme.Desktop.PartnerLink.Component, Acme.Desktop',
      },
      providerAliases: { arguments: [], legacyXml: [records] },
    })
  })

  const refused: [keyof BrandOptions, unknown][] = [
    ['name', ''],
    ['name', '2fast'],
    ['name', 'a b'],
    ['vendor', '..'],
    ['vendor', 'a/b'],
    ['vendor', 'a\\b'],
    ['vendor', 'trailing.'],
    ['application', '../x'],
    ['application', 'x.'],
    ['application', 'Acme.exe'],
    ['displayName', ''],
    ['displayName', 'two\nlines'],
    ['pipePrefix', 'a.b'],
    ['pipePrefix', 'a/b'],
    ['pipePrefix', 'x'.repeat(33)],
    ['xmlRoot', '1st'],
    ['xmlRoot', 'a:b'],
    ['color', 'red}body{display:none'],
    ['appUrl', 'javascript:alert(1)'],
    ['appUrl', 'app.example'],
    ['updateUrl', 'file:///etc'],
    ['registryKey', 'Software\\Acme'],
    ['registryKey', 'Environment\\Acme\\Wrapper'],
    ['registryKey', 'HKCU\\Software\\Acme\\Wrapper'],
    ['registryKey', 'Software\\Acme\\..'],
    ['registryKey', 'Software\\Acme\\ Wrapper'],
    ['registryKey', 'Software\\Acme\\Wrapper\\'],
    ['registryKey', 'Software\\Acme\\[Wrapper]'],
    ['providers', { arguments: 'Acme.Desktop.Arguments.Component' }],
    ['providers', { arguments: [] }],
    ['providers', { arguments: 'A.B, A', legacyXml: ['A.C, A', 'a.b,a'] }],
    ['requiredPerson', ['firstname']],
    ['requiredPerson', ['customId', 'ssn']],
    ['defaultEngines', ['Web View']],
  ]
  test.each(refused)('%s may not be %j', (option, text) => {
    expect(thrownBy(() => defineBrand({ [option]: text }))).toMatchObject({ code: 'ERR_BRAND', option })
  })

  test.each<[string, object]>([
    ['options.vendor', { vendor: 3 }],
    ['options.defaultProvider', { defaultProvider: 'xml' }],
    ['options.readsOldSettings', { readsOldSettings: 'no' }],
    ['options.requiredPerson', { requiredPerson: 'customId' }],
    ['options.requiredPerson', { requiredPerson: ['customId', 3] }],
    ['options.providers', { providers: [] }],
    ['options.providers.xml', { providers: { xml: 'A.B, A' } }],
    ['options.providers.arguments', { providers: { arguments: 3 } }],
    ['options.colour', { colour: 'blue' }],
  ])('refuses %s of a wrong kind', (parameter, options) => {
    expect(thrownBy(() => defineBrand(options))).toMatchObject({ code: 'ERR_PARAMETER', parameter })
  })

  test('a brand is immutable', () => {
    expect(Object.isFrozen(defaultBrand)).toBe(true)
    expect(Object.isFrozen(defaultBrand.providers)).toBe(true)
    expect(Object.isFrozen(defaultBrand.requiredPerson)).toBe(true)
  })
})

describe('assertBrand', () => {
  test('takes what defineBrand makes', () => {
    expect(() => assertBrand('brand', defineBrand({ name: 'Acme' }))).not.toThrow()
  })

  test.each<[string, unknown]>([
    ['options.brand', undefined],
    ['options.brand', { name: 'Acme' }],
    ['options.brand.name', { ...defaultBrand, name: undefined }],
    ['options.brand.extra', { ...defaultBrand, extra: 1 }],
    ['options.brand.readsOldSettings', { ...defaultBrand, readsOldSettings: 'no' }],
    ['options.brand.requiredPerson', { ...defaultBrand, requiredPerson: 'customId' }],
    ['options.brand.defaultProvider', { ...defaultBrand, defaultProvider: 'xml' }],
    ['options.brand.providers.arguments', { ...defaultBrand, providers: {} }],
    ['options.brand.providerAliases.arguments', { ...defaultBrand, providerAliases: defaultBrand.providers }],
  ])('names %s where it is wrong', (parameter, brand) => {
    expect(thrownBy(() => assertBrand('options.brand', brand))).toMatchObject({
      code: 'ERR_PARAMETER',
      parameter,
    })
  })
})

describe('the pipe’s address', () => {
  test('[4.5-name] the name has the process id after the prefix', () => {
    expect(pipeName(defaultBrand, 4711)).toBe('servicepipe.4711')
  })

  test('[4.5-name] on Windows it lies among the named pipes', () => {
    expect(pipeAddress(defaultBrand, 4711, 'win32', 'C:\\Temp')).toBe('\\\\.\\pipe\\servicepipe.4711')
  })

  test.each([
    ['linux', '/tmp', '/tmp/CoreFxPipe_servicepipe.4711'],
    ['darwin', '/var/folders/x/T/', '/var/folders/x/T/CoreFxPipe_servicepipe.4711'],
    ['linux', '/', '/CoreFxPipe_servicepipe.4711'],
  ])('[4.5-name] on %s below %s it is .NET’s socket', (platform, folder, address) => {
    expect(pipeAddress(defaultBrand, 4711, platform, folder)).toBe(address)
  })
})

describe('unixPipeFolder', () => {
  test.each([
    [{ TMPDIR: '/var/tmp' }, '/var/tmp'],
    [{ TMPDIR: '' }, '/tmp'],
    [{ TMP: '/elsewhere', TEMP: '/elsewhere' }, '/tmp'],
  ])('%j is .NET’s folder: %s', (environment, folder) => {
    expect(unixPipeFolder(environment)).toBe(folder)
  })
})
