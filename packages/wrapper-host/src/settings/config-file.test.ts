import { defaultBrand } from '@service-link/protocol-core'
import { findForbiddenCharacter } from '@service-link/xml-input'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigFileError, readConfigFile, writeUserConfig } from './config-file.ts'

const file = 'Service.Client.WebWrapper.exe.config'

function configuration(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<configuration>\n${body}\n</configuration>\n`
}

function failure(text: string): ConfigFileError {
  try {
    readConfigFile(text, file)
  } catch (error) {
    if (error instanceof ConfigFileError) return error
    throw error
  }
  throw new Error('was read without a fault')
}

describe('readConfigFile', () => {
  test('[2.2-files] reads both sections, for any name of the group', () => {
    const read = readConfigFile(
      configuration(`
        <configSections><section name="x" type="y"/></configSections>
        <applicationSettings><Any.Name>
          <setting name="AppUrl" serializeAs="String"><value>https://app.example/?a=1&amp;b=2</value></setting>
          <setting name="DistributorName" serializeAs="String"><value/></setting>
        </Any.Name></applicationSettings>
        <userSettings><Other><setting name="Zoom" serializeAs="String"><value>1.25</value></setting></Other></userSettings>`),
      file,
    )
    expect([...read.application]).toEqual([
      ['AppUrl', 'https://app.example/?a=1&b=2'],
      ['DistributorName', ''],
    ])
    expect([...read.user]).toEqual([['Zoom', '1.25']])
  })

  test('values stay text: number-like and boolean-like values are unchanged', () => {
    const { user } = readConfigFile(
      configuration('<userSettings><S><setting name="A"><value>0010</value></setting></S></userSettings>'),
      file,
    )
    expect(user.get('A')).toBe('0010')
  })

  test.each([
    ['character references', '<value>M&#252;ller &amp; S&#xf8;n</value>', 'Müller & Søn'],
    ['an ampersand before what is no reference then', '<value>&amp;#252;</value>', '&#252;'],
    ['text in CDATA', '<value><![CDATA[a&#252;b]]></value>', 'a&#252;b'],
    ['a value element with attributes', '<value xml:space="preserve">x</value>', 'x'],
    ['an empty one with attributes', '<value xml:space="preserve"/>', ''],
  ])('reads %s', (_title, value, expected) => {
    const { user } = readConfigFile(
      configuration(`<userSettings><S><setting name="A">${value}</setting></S></userSettings>`),
      file,
    )
    expect(user.get('A')).toBe(expected)
  })

  test('the limit counts bytes', () => {
    const text = configuration(`<!--${'å'.repeat(600 * 1024)}-->`)
    expect(failure(text).message).toContain('is larger than 1048576 bytes')
  })

  test('a fault is named with file, line and column', () => {
    const error = failure(configuration('<applicationSettings>\n<broken'))
    expect(error.code).toBe('ERR_CONFIG_FILE')
    expect(error.line).toBeGreaterThan(1)
    expect(error.message).toContain(`${file}, line ${error.line}, column ${error.column}`)
  })

  test('too deep nesting is refused safely', () => {
    const depth = 20_000
    expect(failure(configuration('<a>'.repeat(depth) + '</a>'.repeat(depth))).message).toContain(
      'nested deeper than 100',
    )
  })

  test('another root element is refused', () => {
    expect(failure('<settings/>').message).toContain('<configuration>')
  })

  test('names of object members are ordinary names', () => {
    const { user } = readConfigFile(
      configuration(
        '<userSettings><S><setting name="constructor"><value>x</value></setting></S></userSettings>',
      ),
      file,
    )
    expect(user.get('constructor')).toBe('x')
    expect(user.get('toString')).toBeUndefined()
  })
})

const brand = defaultBrand
const group = 'Service.Client.WebWrapper.Properties.Settings'

/** A file of Visual Studio: byte order mark, CRLF, sections, and traces of other programs. */
const written = [
  '\uFEFF<?xml version="1.0" encoding="utf-8" ?>',
  '<configuration>',
  '  <configSections>',
  '    <sectionGroup name="userSettings" type="System.Configuration.UserSettingsGroup, System">',
  `      <section name='${group}' type="System.Configuration.ClientSettingsSection" allowExeDefinition="MachineToLocalUser" />`,
  '    </sectionGroup>',
  '  </configSections>',
  '  <startup><supportedRuntime version="v4.0" sku=".NETFramework,Version=v4.7.2"/></startup>',
  '  <appSettings><add key="Zoom" value="9" /></appSettings>',
  '  <!-- <userSettings> <setting name="Zoom"><value>8</value> -->',
  '  <userSettings>',
  `    <${group}>`,
  '      <setting name="MinimizeOnExit" serializeAs="String">',
  '        <value>True</value>',
  '      </setting>',
  '      <!-- as the clinic wants it -->',
  "      <setting serializeAs='String' name='Zoom' ><value xml:space='preserve'><![CDATA[1.]]>25</value ></setting>",
  '      <setting name="WindowPlacement" serializeAs="String"><value /></setting>',
  '      <setting name="Servers" serializeAs="Xml"><value><ArrayOfString><string>a &amp; b</string></ArrayOfString></value></setting>',
  `    </${group}>`,
  '    <Other.Settings><setting name="Unknown" serializeAs="String"><value>&#252;</value></setting></Other.Settings>',
  '  </userSettings>',
  '  <runtime><assemblyBinding xmlns="urn:schemas-microsoft-com:asm.v1"><probing privatePath="a;b"/></assemblyBinding></runtime>',
  '</configuration>',
  '',
].join('\r\n')

/** Texts that XML can hold. */
const texts = fc.string({ unit: 'binary' }).filter(text => findForbiddenCharacter(text) === -1)
const names = fc.constantFrom('Zoom', 'WindowPlacement', 'MinimizeOnExit', 'BrowserEngine', 'LogLevel')

function edited(text: string, changes: Readonly<Record<string, string>>): string {
  return writeUserConfig(brand, changes, { text, file })
}

describe('writeUserConfig', () => {
  test('a file of Visual Studio is read correctly', () => {
    expect([...readConfigFile(written, file).user]).toEqual([
      ['MinimizeOnExit', 'True'],
      ['Zoom', '1.25'],
      ['WindowPlacement', ''],
      ['Servers', 'a & b'],
    ])
  })

  test('other settings, and groups of other libraries, stay as they are written', () => {
    const text = edited(written, { Zoom: '2', LogLevel: 'debug' })
    expect([...readConfigFile(text, file).user]).toEqual([
      ['MinimizeOnExit', 'True'],
      ['Zoom', '2'],
      ['WindowPlacement', ''],
      ['Servers', 'a & b'],
      ['LogLevel', 'debug'],
    ])
    expect(text).toContain('<value><ArrayOfString><string>a &amp; b</string></ArrayOfString></value>')
    expect(text).toContain(
      '<Other.Settings><setting name="Unknown" serializeAs="String"><value>&#252;</value></setting></Other.Settings>',
    )
    expect(edited(text, { Zoom: '2' })).toBe(text)
  })

  test.each([
    ['no section', '<configuration/>'],
    ['an empty section', '<configuration><userSettings/></configuration>'],
    ['a section of others', '<configuration><userSettings><Other/></userSettings></configuration>'],
    ['an empty group', `<configuration><userSettings><${group} /></userSettings></configuration>`],
    [
      'a setting without a value',
      `<configuration><userSettings><O><setting name="Zoom"/></O></userSettings></configuration>`,
    ],
    [
      'the setting twice',
      `<configuration><userSettings><O><setting name="Zoom"><value>1</value></setting></O><P><setting name="Zoom"><value>2</value></setting></P></userSettings></configuration>`,
    ],
    ['an empty file of ours', writeUserConfig(brand, {})],
  ])('a file with %s accepts a value', (_title, text) => {
    expect(readConfigFile(edited(text, { Zoom: '1.5' }), file).user.get('Zoom')).toBe('1.5')
  })

  test('every text that XML can hold is read back as saved', () => {
    fc.assert(
      fc.property(texts, names, (value, name) => {
        expect(readConfigFile(edited(written, { [name]: value }), file).user.get(name)).toBe(value)
        expect(readConfigFile(writeUserConfig(brand, { [name]: value }), file).user.get(name)).toBe(value)
      }),
    )
  })
})
