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

  test.each([
    ['cut off', '<configuration>\n  <userSettings>\n    <S>\n', 4, 1, 'it is cut off'],
    [
      'an element that is not closed',
      '<configuration>\n  <a>\n</configuration>',
      3,
      1,
      'does not match the tag that it closes',
    ],
    ['an entity of HTML', '<configuration>\n  &nbsp;</configuration>', 2, 3, 'An & begins neither'],
    [
      'a reference to no character',
      '<configuration>\n<a b="&#0;"/></configuration>',
      2,
      7,
      'An & begins neither',
    ],
    [
      'a control character',
      '<configuration>\n\u0007</configuration>',
      2,
      1,
      'a character that XML does not allow',
    ],
    ['a second root', '<configuration/>\n<configuration/>', 2, 1, 'a second root element'],
    ['nothing', '', 1, 1, 'it is empty'],
  ])('%s is named with line and column', (_title, text, line, column, problem) => {
    const error = failure(text)
    expect([error.line, error.column]).toEqual([line, column])
    expect(error.message).toContain(problem)
  })

  test('too deep nesting is refused safely', () => {
    const depth = 20_000
    expect(failure(configuration('<a>'.repeat(depth) + '</a>'.repeat(depth))).message).toContain(
      'nested deeper than 100',
    )
  })

  test('comments and CDATA may hold text that is refused elsewhere', () => {
    const text = configuration('<!-- <!DOCTYPE a> &nbsp; --><a><![CDATA[<!DOCTYPE a> &nbsp;]]></a>')
    expect(readConfigFile(text, file).user.size).toBe(0)
  })

  test('a DOCTYPE is refused at its place', () => {
    const error = failure('<?xml version="1.0"?>\n<!DOCTYPE configuration [<!ENTITY a "b">]><configuration/>')
    expect([error.line, error.column]).toEqual([2, 1])
  })

  const doctype = '<!DOCTYPE configuration [<!ENTITY a "bbb">]>'
  const using = (name: string) =>
    `<userSettings><S><setting name="A"><value>${name}</value></setting></S></userSettings>`

  test.each([
    ['<?p <![CDATA[ ?>', using('<![CDATA[]]>')],
    ['<?p <!-- ?>', '<!-- -->'],
    ['<!-- a -->', '<!-- b -->'],
  ])('a DOCTYPE behind %s is refused at its place', (before, inside) => {
    const error = failure(`${before}${doctype}<configuration>${inside}</configuration>`)
    expect(error.message).toContain('DOCTYPE')
    expect([error.line, error.column]).toEqual([1, before.length + 1])
  })

  test.each([
    ['the value of an attribute', `<configuration x="<!--">${doctype}<y z="-->"/></configuration>`],
    ['a tag', `<configuration <!-->${doctype}<y --></configuration>`],
    ['an end tag', `<configuration><a></a "><!-- ">${doctype} --></configuration>`],
    ['an instruction', `<?p "?><!-- "?>${doctype}<configuration>${using('&a;')}</configuration><!-- -->`],
    ['another declaration', `<!ENTITY a "b"><configuration/>`],
  ])('text that would hide a DOCTYPE in %s is refused', (_title, text) => {
    expect(failure(text).line).toBe(1)
  })

  test('an instruction may hold text that is markup elsewhere', () => {
    const { user } = readConfigFile(
      `<?p <!DOCTYPE a> &nbsp; "<!--" ?>${configuration(using('x')).replace(/^.*\n/, '')}`,
      file,
    )
    expect(user.get('A')).toBe('x')
  })

  test('a reference is replaced once, in text and in an attribute', () => {
    const { user } = readConfigFile(
      configuration(
        '<userSettings><S><setting name="&amp;lt;&#x41;"><value>&#38;amp;<![CDATA[&amp;]]></value></setting></S></userSettings>',
      ),
      file,
    )
    expect([...user]).toEqual([['&lt;A', '&amp;&amp;']])
  })

  // With quadratic work each would take minutes, and the time limit would fail the test.
  test.each([
    ['&'],
    ['&#'],
    ['<!--'],
    ['<![CDATA['],
    ['<'],
    ['<?'],
    ['</'],
    ['<a b="'],
    ["<a b='&amp;"],
    ['x<a/>'],
    ['<a>'],
    ['<!---->'],
    ['<![CDATA[]]>'],
    ['&amp;'],
    ['<a b="c"/>\n'],
  ])('a file full of %j is read or refused at once', { timeout: 120_000 }, piece => {
    const repeated = piece.repeat(Math.floor((1024 * 1024 - 200) / piece.length))
    for (const text of [
      repeated,
      `<configuration>${repeated}</configuration>`,
      `<configuration a="${repeated.replaceAll('"', '')}"/>`,
    ]) {
      try {
        readConfigFile(text, file)
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigFileError)
      }
    }
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
