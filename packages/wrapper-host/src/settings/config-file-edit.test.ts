import { defaultBrand } from '@service-link/protocol-core'
import { findForbiddenCharacter } from '@service-link/xml-input'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfigFile, writeUserConfig } from './config-file.ts'

const file = 'user.config'
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
