import { describe, expect, test } from 'vitest'
import { ConfigFileError, readConfigFile } from './config-file.ts'

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
