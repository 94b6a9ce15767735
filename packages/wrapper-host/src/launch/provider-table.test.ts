import { defaultBrand, defineBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { payloadArgument, providerInput } from '../../test/support/provider-input.ts'
import type { Provider } from './provider.ts'
import { createProviderTable, type OwnProviders } from './provider-table.ts'

const { providers: names } = defaultBrand
const person = ['id=1', 'firstname=A', 'lastname=B', 'dateofbirth=1980-02-03']

function tableOf(setting: string = names.legacyXml, own: OwnProviders = {}) {
  return createProviderTable({ brand: defaultBrand, setting, applicationRoot: '/nowhere', own })
}

/** The wrapper's result for a launch, up to the provider. */
async function provide(argv: readonly string[], table = tableOf()) {
  const input = providerInput(argv)
  const { provider } = await table.choose(input.arguments)
  return provider.provide(input)
}

const recorded: Provider = {
  provide: async () => ({ commands: [{ name: 'queryexercises', args: { text: 'own' } }] }),
}
const ownName = 'Acme.Journal.Component, Acme.Journal'

describe('the choice of a provider', () => {
  test('[4.2-provider] [4.3-provider] the launch’s own argument wins over the setting', async () => {
    const byArguments = await provide([`provider=${names.arguments}`, 'openworkout=3'])
    expect(byArguments.commands).toEqual([{ name: 'openworkout', args: { id: 3 } }])
    const bySetting = await provide(['openworkout=3'], tableOf(names.arguments))
    expect(bySetting).toEqual(byArguments)
    await expect(provide(['openworkout=3'])).rejects.toMatchObject({ code: 'ERR_PROVIDER_MISMATCH' })
  })

  test.each([
    'service.desktop.arguments.component,Service.Desktop',
    ' SERVICE.DESKTOP.ARGUMENTS.COMPONENT ,  service.desktop ',
    `${names.arguments}, Version=2.1.4.19787, Culture=neutral, PublicKeyToken=b77a5c561934e089`,
  ])('white space, case and .NET’s facts of a built-in name do not matter: %s', async name => {
    expect(await provide([`provider=${name}`])).toEqual({ commands: [] })
  })

  test('[4.2-provider] each name of the brand chooses its provider, as argument and as setting', async () => {
    const records = 'Acme.Desktop.Records.Component, Acme.Desktop'
    const brand = defineBrand({
      providers: { arguments: [names.arguments, records] },
      defaultProvider: 'arguments',
    })
    const options = { brand, applicationRoot: '/nowhere' }
    const commands = [{ name: 'openworkout', args: { id: 3 } }]
    const asSetting = createProviderTable({ ...options, setting: records })
    expect(await provide(['openworkout=3'], asSetting)).toEqual({ commands })
    const asArgument = createProviderTable({ ...options, setting: names.legacyXml })
    expect(await provide([`provider=${records.toLowerCase()}`, 'openworkout=3'], asArgument)).toEqual({
      commands,
    })
    const own = { [records]: recorded }
    expect(() => createProviderTable({ ...options, setting: records, own })).toThrow(
      'is taken by another provider',
    )
    await expect(provide(['provider=None, None'], asArgument)).rejects.toThrow(/^((?!Records).)*$/)
  })

  test.each(['Evil, x', '../evil, x'])(
    '%s is refused with the known names, and is not repeated',
    async name => {
      const refused = provide([`provider=${name}`], tableOf(names.legacyXml, { [ownName]: recorded }))
      await expect(refused).rejects.toMatchObject({
        code: 'ERR_PROVIDER_UNKNOWN',
        message: `The argument provider names no provider of this wrapper. Known: ${[...Object.values(names), ownName].map(known => `"${known}"`).join(', ')}.`,
      })
    },
  )

  test.each([
    names.arguments.slice(0, -1),
    'Service.Desktop.Arguments.Component',
    'Service.Desktop.Argument.Component, Service.Desktop',
    'Arguments',
  ])('%s is refused with the name that was meant', async name => {
    const near = `names no provider of this wrapper. Did you mean "${names.arguments}"?`
    await expect(provide([`provider=${name}`])).rejects.toThrow(`The argument provider ${near}`)
    await expect(provide([], tableOf(name))).rejects.toThrow(
      `The setting ProtocolProvider in Service.Client.WebWrapper.exe.config ${near}`,
    )
  })

  test('a payload alone chooses the partner-link provider, for any setting', async () => {
    await using folder = await temporaryFolder()
    const argument = await payloadArgument(folder.path)
    for (const setting of Object.values(names))
      expect(await provide([argument], tableOf(setting))).toMatchObject({ payload: 'a.b.c', commands: [] })
  })

  test('a custom provider is chosen by argument and by setting, in any case', async () => {
    const table = tableOf(ownName, { [ownName]: recorded })
    expect((await provide([], table)).commands).toHaveLength(1)
    expect((await provide([`provider=${ownName.toLowerCase()}`], table)).commands).toHaveLength(1)
  })

  test.each<[string, OwnProviders, string]>([
    ['a built-in one', { [names.legacyXml.toUpperCase()]: recorded }, 'is taken'],
    ['another', { 'A, B': recorded, 'a,b': recorded }, 'is taken'],
    ['no type name', { journal: recorded }, 'is not written "<Type>, <Assembly>"'],
  ])('a custom provider named %s is refused at once', (_title, own, message) => {
    expect(() => tableOf(names.legacyXml, own)).toThrow(
      expect.objectContaining({ code: 'ERR_PROVIDER_NAME', message: expect.stringContaining(message) }),
    )
  })
})

describe('input that a built-in provider does not read is refused', () => {
  test.each([
    ['arguments', ['in.xml'], 'an XML file'],
    ['arguments', ['payload=@a.jwt'], 'a signed payload'],
    ['legacyXml', ['payload=@a.jwt', 'in.xml'], 'a signed payload'],
    ['legacyXml', person, 'arguments of the command line'],
    ['namedPipe', person, 'arguments of the command line'],
    ['namedPipe', ['in.xml'], 'an XML file'],
    ['namedPipe', ['payload=@a.jwt'], 'a signed payload'],
    ['partnerLink', ['in.xml'], 'an XML file'],
  ] as const)('%s of %j', async (name, argv, brought) => {
    await expect(provide([`provider=${names[name]}`, ...argv])).rejects.toMatchObject({
      code: 'ERR_PROVIDER_MISMATCH',
      message: expect.stringContaining(brought),
    })
  })

  test('the refusal has the type name to write, and an argument that was meant to choose it', async () => {
    const sentence = `Write provider="${names.arguments}" into the launch, or set ProtocolProvider to that name in Service.Client.WebWrapper.exe.config.`
    await expect(provide(person)).rejects.toThrow(sentence)
    await expect(provide([`provder=${names.arguments}`, ...person])).rejects.toThrow(
      `provder=… was ignored. ${sentence}`,
    )
  })

  test.each(Object.entries(names))('%s accepts an empty launch', async (_title, name) => {
    expect(await provide([`provider=${name}`])).toEqual({ commands: [] })
  })
})

describe('the partner-link provider', () => {
  const partnerLink = `provider=${names.partnerLink}`

  test('posts the payload first; further commands follow', async () => {
    await using folder = await temporaryFolder()
    const argument = await payloadArgument(folder.path)
    expect(await provide(['queryexercises=knee', argument, 'openworkout=3'])).toMatchObject({
      payload: 'a.b.c',
      commands: [
        { name: 'queryexercises', args: { text: 'knee' } },
        { name: 'openworkout', args: { id: 3 } },
      ],
    })
  })

  test.each([
    ['commands without a payload', [partnerLink, 'queryexercises=knee'], 'payload is missing'],
    ['a second person', [partnerLink, 'payload=@a.jwt', ...person], 'payload brings a person of its own'],
  ])('refuses %s', async (_title, argv, message) => {
    await expect(provide(argv)).rejects.toMatchObject({
      code: 'ERR_ARGS',
      message: expect.stringContaining(message),
    })
  })
})
