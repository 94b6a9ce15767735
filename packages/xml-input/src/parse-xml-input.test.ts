import { readFileSync } from 'node:fs'
import { ArgsError, type ArgsIssue, type BrandOptions, defineBrand } from '@service-link/protocol-core'
import file from '@service-link/vectors/xml-files.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import codePages from '../test/support/code-pages.json' with { type: 'json' }
import { parseXmlInput } from './parse-xml-input.ts'
import { type XmlErrorCode, XmlLimitError, XmlReadError } from './xml-error.ts'

interface Vector {
  readonly id: string
  readonly requirement?: string
  readonly name: string
  readonly input: {
    readonly xml?: string
    readonly file?: string
    readonly culture?: string
    readonly requiredPerson?: readonly string[]
  }
  readonly expect?: unknown
  readonly error?: {
    readonly code: string
    readonly line?: number
    readonly column?: number
    readonly paths?: readonly string[]
  }
}

const vectors: readonly Vector[] = file.vectors

function bytesOf({ xml, file: path }: Vector['input']): Uint8Array {
  if (path === undefined) return new TextEncoder().encode(xml)
  return readFileSync(new URL(import.meta.resolve(`@service-link/vectors/${path}`)))
}

function parseText(xml: string, options = {}) {
  return parseXmlInput(new TextEncoder().encode(xml), options)
}

function refusalOf(run: () => unknown): ArgsError | XmlReadError<XmlErrorCode> {
  try {
    run()
  } catch (error) {
    if (error instanceof ArgsError || error instanceof XmlReadError) return error
    throw error
  }
  throw new Error('was accepted')
}

function factsOf(refusal: ArgsError | XmlReadError<XmlErrorCode>) {
  const { code } = refusal
  return refusal instanceof ArgsError
    ? { code, paths: refusal.issues.map(({ path }) => path) }
    : { code, line: refusal.line, column: refusal.column }
}

test('reads text, whatever encoding it declares', () => {
  const xml = '<?xml version="1.0" encoding="utf-16"?><serviceinput exercisequery="kne å"/>'
  expect(parseXmlInput(xml).commands).toEqual([{ name: 'queryexercises', args: { text: 'kne å' } }])
  expect(parseXmlInput(`\ufeff${xml}`).commands).toHaveLength(1)
})

/** Decoders of some Node releases know no ISO-8859-16, take 0xCA of Windows-1255 for unassigned, or read KOI8-RU as KOI8-U. */
const decodersDiffer: Readonly<Record<string, RegExp>> = {
  'iso-8859-16': /./,
  'windows-1255': /\xca/,
  'koi8-u': /[\xae\xbe]/,
}

describe('single-byte code pages are read as Python’s codecs read them', () => {
  test.each(Object.entries(codePages))('%s', (label, characters) => {
    const head = `<?xml version="1.0" encoding="${label}"?><serviceinput exercisequery="a`
    const read = (byte: number) => {
      try {
        const file = Buffer.from(`${head}${String.fromCharCode(byte)}a"/>`, 'latin1')
        return parseXmlInput(file).commands.flatMap(({ args }) => Object.values(args))
      } catch (error) {
        return error
      }
    }
    ;[...characters].forEach((character, index) => {
      const byte = 0x80 + index
      if (decodersDiffer[label]?.test(String.fromCharCode(byte))) return
      if (character !== '\ufffd') expect(read(byte)).toEqual([`a${character}a`])
      else expect(read(byte)).toMatchObject({ code: 'ERR_XML_ENCODING', line: 1, column: head.length + 1 })
    })
  })
})

test('a code page that this Node does not know is refused', () => {
  const known = globalThis.TextDecoder
  globalThis.TextDecoder = class {
    constructor(label: string) {
      throw new RangeError(`The "${label}" encoding is not supported`)
    }
  } as typeof known
  try {
    const refusal = refusalOf(() => parseText('<?xml version="1.0" encoding="windows-1250"?><serviceinput/>'))
    expect(factsOf(refusal)).toEqual({ code: 'ERR_XML_ENCODING', line: 1, column: 1 })
    expect(refusal.message).toContain('Write UTF-8')
  } finally {
    globalThis.TextDecoder = known
  }
})

describe('xml-files.json', () => {
  for (const { id, requirement, name, input, error, expect: expected } of vectors) {
    test(`${requirement ? `[${requirement}] ` : ''}${name} (${id})`, () => {
      const dropped: string[] = []
      const onDropped = ({ path }: ArgsIssue) => dropped.push(path)
      const { culture, requiredPerson } = input
      const options = {
        onDropped,
        ...(culture === undefined ? {} : { culture }),
        ...(requiredPerson ? { brand: defineBrand({ requiredPerson } as BrandOptions) } : {}),
      }
      const parse = () => {
        const parsed = parseXmlInput(bytesOf(input), options)
        return { ...parsed, ...(dropped.length > 0 ? { dropped } : {}) }
      }
      if (error) expect(factsOf(refusalOf(parse))).toEqual(error)
      else expect(parse()).toEqual(expected)
    })
  }
})

test('[4.4-root] the brand names the root element', () => {
  const brand = defineBrand({ name: 'Acme' })
  expect(parseText('<acmeinput exercisequery="knee"/>', { brand }).commands).toHaveLength(1)
  expect(refusalOf(() => parseText('<serviceinput exercisequery="knee"/>', { brand })).message).toBe(
    'The root element must be acmeinput. (line 1, column 1)',
  )
})

describe('a limit', () => {
  const limitOf = (run: () => unknown) => {
    const refusal = refusalOf(run)
    return refusal instanceof XmlLimitError ? [refusal.limit, refusal.max] : refusal
  }
  const query = '<serviceinput exercisequery="knee"/>'
  const withElements = (count: number) =>
    `<serviceinput exercisequery="knee">${'<x/>'.repeat(count - 1)}</serviceinput>`

  test('of bytes is 1 MiB', () => {
    expect(parseText(query.padEnd(1024 * 1024)).commands).toHaveLength(1)
    expect(limitOf(() => parseText(query.padEnd(1024 * 1024 + 1)))).toEqual(['bytes', 1024 * 1024])
  })

  test('of elements is 10,000', () => {
    expect(parseText(withElements(10_000)).unknown).toHaveLength(9_999)
    expect(limitOf(() => parseText(withElements(10_001)))).toEqual(['elements', 10_000])
  })

  test('of depth is reached before a million open tags are kept', () => {
    expect(limitOf(() => parseText('<a>'.repeat(300_000)))).toEqual(['depth', 32])
  })
})

const rest = '<firstname>Kari</firstname><lastname>Li</lastname>'

test.each<[string, string]>([
  [
    `<id>1</id>${rest}<born>1980-04-03</born>`,
    'source_customerno is missing: write <source_customerno> instead of <id>.',
  ],
  [
    `<source_customerno>1</source_customerno>${rest}<dateOfBirth>1980-04-03</dateOfBirth>`,
    'born is missing: write <born> instead of <dateOfBirth>.',
  ],
  [
    '<customid>1</customid>',
    'neither a person nor a query in it; <customid> is not read; write <source_customerno>.',
  ],
  ['<exercisequery>knee</exercisequery>', 'write the attribute exercisequery of the root element.'],
])('%s is refused with what to write', (content, sentence) => {
  expect(refusalOf(() => parseText(`<serviceinput>${content}</serviceinput>`)).message).toContain(sentence)
})

test('names that are nearly read, or other transports’, are noted; others are not repeated', () => {
  const notes: string[] = []
  const onNoted = ({ path, problem }: ArgsIssue) => notes.push(`${path} ${problem}`)
  const person = `<source_customerno>1</source_customerno>${rest}<born>1980-04-03</born>`
  const others =
    '<phone>1</phone><phone>2</phone><zipcode>1</zipcode><ssn>1</ssn><openworkout>3</openworkout><Nordmann>1</Nordmann>'
  parseText(`<serviceinput deleted="false" x="1">${person}${others}</serviceinput>`, { onNoted })
  expect(notes).toEqual([
    '<phone> is not read; write <mobile>',
    '<zipcode> is not read; write <postalcode>',
    '<ssn> is not read: the file has no such field',
    '<openworkout> is not read: a file opens no workout; launch openworkout=… without a file',
    'the attribute deleted is not read; write the attribute delete of the root element',
  ])
})

test('a path in place of the content is refused as one', () => {
  expect(() => parseXmlInput('C:\\data\\input.xml')).toThrow('The parameter file is a path: give the content')
})

test('a refusal never repeats the file’s content', () => {
  const files = [
    '<serviceinput><firstname>Secret</serviceinput>',
    '<serviceinput><firstname>a<Secret Secret</firstname></serviceinput>',
    '<serviceinput Secret></serviceinput>',
    '<serviceinput exercisequery="a" 1Secret="b"/>',
    '<serviceinput Secret="a" Secret="b"/>',
    '<serviceinput><1Secret/></serviceinput>',
    '<serviceinput>&Secret;</serviceinput>',
    '<Secret/>',
    '<serviceinput>Secret</serviceinput>',
    '<serviceinput delete="Secret"><born>Secret</born></serviceinput>',
    '<serviceinput><firstname>Secret1</firstname><firstname>Secret2</firstname></serviceinput>',
  ]
  for (const xml of files) {
    const refusal = refusalOf(() => parseText(xml))
    expect(`${refusal.message} ${JSON.stringify(refusal)} ${String(refusal.cause)}`).not.toContain('Secret')
  }
})

test('a file cut off anywhere is refused', () => {
  const xml =
    '<?xml version="1.0"?>\n<serviceinput exercisequery="knee"><x a="1"><![CDATA[y]]></x><!-- z --></serviceinput>'
  expect(parseText(xml).commands).toHaveLength(1)
  for (let length = 0; length < xml.length; length++)
    expect(factsOf(refusalOf(() => parseText(xml.slice(0, length))))).toMatchObject({
      code: 'ERR_XML_SYNTAX',
    })
})

test.each(
  [...'\u00a0\u0085\u2003\u2028\u3000\u000b'].flatMap(space => [
    `<serviceinput${space}exercisequery="a"/>`,
    `<serviceinput exercisequery=${space}"a"/>`,
    `<serviceinput exercisequery="a"></serviceinput${space}>`,
    `<serviceinput exercisequery="a"/>${space}`,
    `<?a${space}b?><serviceinput exercisequery="a"/>`,
    `<?xml version="1.0"${space}encoding="utf-8"?><serviceinput exercisequery="a"/>`,
  ]),
)('text that XML does not count as white space separates nothing: %j', xml => {
  expect(factsOf(refusalOf(() => parseText(xml)))).toMatchObject({ code: 'ERR_XML_SYNTAX' })
})

test.each(['nonsense', 'nb_NO', ''])(
  'the culture %j, by which no date would be read, is refused',
  culture => {
    expect(() => parseXmlInput('<serviceinput/>', { culture })).toThrow(
      'The parameter options.culture must be a language tag that is known here, such as nb-NO, or und.',
    )
  },
)
