import { defineBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { readConfigFile } from './config-file.ts'

const own = 'Service.Client.WebWrapper.Properties.Settings'
const older = 'Acme.Client.WebWrapper.Properties.Settings'
const other = 'Other.Library.Properties.Settings'

const setting = (name: string, value: string, form = 'String') =>
  `<setting name="${name}" serializeAs="${form}"><value>${value}</value></setting>`
const group = (name: string, ...settings: readonly string[]) => `<${name}>${settings.join('')}</${name}>`
const application = (...groups: readonly string[]) => group('applicationSettings', ...groups)
const user = (...groups: readonly string[]) => group('userSettings', ...groups)

function read(body: string) {
  return readConfigFile(`<configuration>${body}</configuration>`, 'a.config')
}

describe('[2.2-files] a setting of the same name in another library’s group does not count', () => {
  const debug = (value: string) => setting('Debug', value)

  test.each<[string, string]>([
    ['behind the wrapper’s', application(group(own, debug('False')), group(other, debug('True')))],
    ['before the wrapper’s', application(group(other, debug('True')), group(own, debug('False')))],
    ['beside an older maker’s', application(group(other, debug('True')), group(older, debug('False')))],
    [
      'beside a group without a namespace',
      application(
        group(other, debug('True')),
        group('S', debug('False')),
        group('Other.Name', debug('True')),
      ),
    ],
    [
      'beside two sections of the wrapper’s',
      application(group(other, debug('True'))) + application(group(own, debug('False'))),
    ],
  ])('%s', (_title, body) => {
    expect(read(body).application.get('Debug')).toBe('False')
  })

  test('an older maker’s group counts beside the wrapper’s own, which wins', () => {
    const old = group(older, setting('Debug', 'False'), setting('AppUrl', 'https://old.example'))
    for (const groups of [
      [old, group(own, debug('True'))],
      [group(own, debug('True')), old],
    ])
      expect(Object.fromEntries(read(application(...groups)).application)).toEqual({
        Debug: 'True',
        AppUrl: 'https://old.example',
      })
  })

  test('where the wrapper has none, because its group is in the other section', () => {
    const foreign = user(group(other, setting('Zoom', '3')))
    expect(read(application(group(own, debug('True'))) + foreign).user.size).toBe(0)
  })

  test.each([other, 'Other.My.MySettings'])(
    'nor where it is alone: %s is reported, with the remedy',
    name => {
      const foreign = group(name, setting('AppUrl', 'https://other.example'), setting('Debug', 'True'))
      for (const mine of ['', group('S', setting('Zoom', '2'))]) {
        const found = read(application(foreign) + user(mine))
        expect([found.application.size, found.user.size]).toEqual([0, mine === '' ? 0 : 1])
        const problem = `is the group of another library, and does not count; name the wrapper’s group ${own}`
        expect(found.notices).toEqual([{ setting: name, problem }])
      }
      const debug = read(application(group(name, setting('Debug', 'True'))))
      expect([debug.application.size, debug.notices]).toEqual([0, []])
    },
  )

  test('a group of a name that no designer gives counts, and is reported where a library may have it', () => {
    const notices = (name: string) => {
      const found = read(application(group(name, setting('AppUrl', 'https://a.example'))))
      expect(found.application.get('AppUrl')).toBe('https://a.example')
      return found.notices
    }
    expect(notices('S')).toEqual([])
    expect(notices('Old.Name')).toEqual([
      { setting: 'Old.Name', problem: expect.stringContaining(`name the wrapper’s group ${own}`) },
    ])
  })

  test('the wrapper’s group may be named after its application, or as wrappers are without a brand', () => {
    const brand = defineBrand({ application: 'AcmeJournal' })
    for (const name of ['AcmeJournal.Properties.Settings', 'AcmeJournal.My.MySettings', own, older]) {
      const body = application(group(other, setting('Zoom', '1')), group(name, setting('AppUrl', 'a')))
      const found = readConfigFile(`<configuration>${body}</configuration>`, 'f', brand)
      expect([[...found.application.keys()], found.notices]).toEqual([['AppUrl'], []])
    }
  })
})

test.each([
  ['a text', '<string>https://a.example</string>', 'https://a.example'],
  ['a truth value', '<boolean>true</boolean>', 'true'],
  ['a number', '<double>1.25</double>', '1.25'],
  ['nothing', '<string xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>', ''],
  ['a comment in the value', '<string><!-- old -->a</string>', 'a'],
  ['CDATA', '<string><![CDATA[a&b]]></string>', 'a&b'],
  [
    'a list',
    '<ArrayOfString xmlns:xsd="x"><string>https://a.example</string> <string>https://b.example</string></ArrayOfString>',
    'https://a.example https://b.example',
  ],
  ['an empty list', '<ArrayOfString/>', ''],
])('a setting that is serialized as Xml is read: %s', (_title, value, expected) => {
  for (const form of ['Xml', 'String'])
    expect(read(user(group(own, setting('SignInOrigins', value, form)))).user.get('SignInOrigins')).toBe(
      expected,
    )
})

test.each([
  [
    'XML of another shape',
    setting('AppUrl', '<Site><Address><string>a</string></Address></Site>', 'Xml'),
    'AppUrl',
    'is written as XML that is not read',
  ],
  ['Binary', setting('AppUrl', 'AAEAAAD', 'Binary'), 'AppUrl', 'is written as Binary, which is not read'],
  [
    'a value in the wrong case',
    '<setting name="AppUrl"><Value>a</Value></setting>',
    'AppUrl',
    'has no element <value>',
  ],
  [
    'a name in the wrong case',
    setting('appUrl', 'https://a.example'),
    'AppUrl',
    'is written appUrl and not read',
  ],
  [
    'a value in an attribute',
    '<setting name="AppUrl" value="https://a.example"/>',
    'AppUrl',
    'write <value>…</value>',
  ],
  [
    'an element in the wrong case',
    '<Setting name="AppUrl"><value>a</value></Setting>',
    own,
    'write <setting>',
  ],
])('a setting that cannot be read is reported: %s', (_title, text, name, problem) => {
  const { notices, application: found } = read(application(group(own, text)))
  expect(notices).toEqual([{ setting: name, problem: expect.stringContaining(problem) }])
  expect(found.has('AppUrl')).toBe(false)
})

const plain = group(own, setting('Debug', 'True'))

test.each([
  [
    'location',
    `<location path="." inheritInChildApplications="false">${application(plain)}</location>`,
    'applicationSettings',
    'stands in <location>',
  ],
  [
    'a setting in appSettings',
    '<appSettings><add key="AppUrl" value="https://a.example"/></appSettings>',
    'appSettings',
    'write <setting> elements into applicationSettings',
  ],
  [
    'a setting outside a group',
    application(setting('AppUrl', 'https://a.example')),
    'applicationSettings',
    'has settings outside a group',
  ],
  [
    'configSource of the group',
    application(`<${own} configSource="own.config"/>`),
    own,
    'is kept in another file (configSource)',
  ],
  [
    'configSource of the section',
    `<userSettings configSource="user.config"/>`,
    'userSettings',
    'is kept in another file (configSource)',
  ],
  [
    'an encrypted group',
    application(
      `<${own} configProtectionProvider="DataProtectionConfigurationProvider"><EncryptedData/></${own}>`,
    ),
    own,
    'is encrypted',
  ],
  [
    'an encrypted group of another name',
    application(`<Any><xenc:EncryptedData xmlns:xenc="x"/></Any>`),
    'Any',
    'is encrypted',
  ],
  [
    'a section in the wrong case',
    `<ApplicationSettings>${plain}</ApplicationSettings>`,
    'ApplicationSettings',
    'write applicationSettings',
  ],
])('%s is reported', (_title, body, name, problem) => {
  expect(read(body).notices).toEqual([{ setting: name, problem: expect.stringContaining(problem) }])
})

test('nothing is reported that is another library’s, or has no effect in .NET either', () => {
  const body = [
    `<location path="."><system.web/></location>`,
    application(
      plain,
      `<${other} configSource="other.config"/>`,
      `<More.Settings configProtectionProvider="x"><EncryptedData/></More.Settings>`,
    ),
    user(
      `<Third.Library configSource="third.config"/>`,
      group(
        own,
        '<clear/>',
        '<setting name="Zoom" serializeAs="String"/>',
        setting('Unknown', 'AAE', 'Binary'),
      ),
    ),
  ]
  const found = read(body.join(''))
  expect(found.notices).toEqual([])
  expect([...found.user]).toEqual([
    ['Zoom', ''],
    ['Unknown', ''],
  ])
})
