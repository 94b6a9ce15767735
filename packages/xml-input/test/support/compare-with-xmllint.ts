import fc from 'fast-check'
import { expect } from 'vitest'
import { decodeXml } from '../../src/decode-xml.ts'
import { maxXmlDepth, maxXmlElements, readXml, type XmlElement } from '../../src/read-xml.ts'
import { XmlDoctypeError, XmlEncodingError, XmlLimitError, XmlReadError } from '../../src/xml-error.ts'
import { mutationsOf } from './mutations.ts'
import { askXmllint } from './xmllint.ts'

const person = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<serviceinput delete="true" exercisequery='knee &amp; "hip"' xmlns:j="urn:journal">
  <!-- from the journal -->
  <source_customerno>4711</source_customerno>
  <firstname>S&#248;ren &#x1F600;</firstname><lastname><![CDATA[van <Dyk> & Co]]></lastname>
  <j:born kind="date">1980-04-03</j:born>\r
  <?journal version "4?>
  <email/>
  <place>å</place >
</serviceinput>
`

const settings = `\ufeff<?xml version='1.0'?>\r
<configuration>\r
  <configSections><section name="a" type="System.Configuration, System"/></configSections>\r
  <applicationSettings>\r
    <A.Properties.Settings>\r
      <setting name="AppUrl" serializeAs="String">\r
        <value>https://app.example/?a=1&amp;b=2</value>\r
      </setting>\r
    </A.Properties.Settings>\r
  </applicationSettings>\r
  <!-- <userSettings> -->\r
  <userSettings><Other.Settings>\r
    <setting serializeAs='String' name='Zoom'><value xml:space='preserve'><![CDATA[1.]]>25</value></setting>\r
  </Other.Settings></userSettings>\r
  <runtime><assemblyBinding xmlns="urn:schemas-microsoft-com:asm.v1"><probing privatePath="a;b"/></assemblyBinding></runtime>\r
</configuration>\r
`

/** An element as both readers report it: attributes by name, without namespace declarations. */
interface Told {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  text: string
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]) =>
  one < other ? -1 : Number(one > other)

function told(name: string, attributes: Iterable<readonly [string, string]>, text = ''): Told {
  return {
    name,
    attributes: [...attributes].filter(([each]) => !/^xmlns(:|$)/.test(each)).sort(byName),
    text,
  }
}

/** The elements of a document in order of their start tags. */
function ofElement({ name, attributes, text, children }: XmlElement): Told[] {
  return [told(name, attributes, text), ...children.flatMap(ofElement)]
}

const canonicalPiece = /<!--.*?-->|<\?.*?\?>|(<\/)[^>]*>|<([^ >]+)((?: [^ =]+="[^"]*")*)>|([^<]+)/gs

/** The elements of canonical XML, which has no CDATA, no empty tags and one spelling of each character. */
function ofCanonical(canonical: string): Told[] {
  const elements: Told[] = []
  const open: Told[] = []
  for (const [, isEnd, name, attributes = '', text] of canonical.matchAll(canonicalPiece)) {
    const parent = open.at(-1)
    if (isEnd) open.pop()
    else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/ ([^ =]+)="([^"]*)"/g)]
      const element = told(
        name,
        pairs.map(([, key = '', value = '']) => [key, unescaped(value)] as const),
      )
      elements.push(element)
      open.push(element)
    } else if (text !== undefined && parent) parent.text += unescaped(text)
  }
  return elements
}

const canonicalReferences: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x(\w+)|(\w+));/g, (_found, hexadecimal: string | undefined, name: string) =>
    hexadecimal === undefined
      ? (canonicalReferences[name] ?? '?')
      : String.fromCodePoint(Number.parseInt(hexadecimal, 16)),
  )
}

/** XML 1.0 requires white space before `standalone` (production 32); xmllint does not require it after an encoding. */
const isMisreadByXmllint = /^\ufeff?<\?xml[^>]*encoding *= *("[^">]*"|'[^'>]*')standalone/

/** Refused on purpose though well-formed: a DOCTYPE, an unsupported encoding, a document beyond the limits. */
const deliberate = [XmlDoctypeError, XmlEncodingError, XmlLimitError]

function read(document: string): XmlElement | XmlReadError<'ERR_XML_SYNTAX'> | 'deliberately refused' {
  try {
    return readXml(decodeXml(new TextEncoder().encode(document)), {
      maxDepth: maxXmlDepth,
      maxElements: maxXmlElements,
    })
  } catch (error) {
    if (deliberate.some(each => error instanceof each)) return 'deliberately refused'
    if (error instanceof XmlReadError) return error
    throw error
  }
}

const batch = 1_000
const changed = fc.oneof(mutationsOf(person), mutationsOf(settings))

/** Fails unless readXml accepts the same mutations as xmllint, with the same names, attributes and text. */
export function compareWithXmllint(seed: number, documentCount: number): void {
  const counts = { accepted: 0, refused: 0, deliberate: 0, uncompared: 0 }
  for (let done = 0; done < documentCount; done += batch) {
    const documents = fc.sample(changed, { seed: seed + done, numRuns: batch })
    for (const [index, { isWellFormed, canonical }] of askXmllint(documents).entries()) {
      const document = documents[index] ?? ''
      const ours = read(document)
      if (ours === 'deliberately refused') {
        counts.deliberate++
        continue
      }
      const isAccepted = !(ours instanceof XmlReadError)
      if (isMisreadByXmllint.test(document)) continue
      expect({ document, isAccepted }).toEqual({ document, isAccepted: isWellFormed })
      counts[isAccepted ? 'accepted' : 'refused']++
      if (!isAccepted) continue
      if (canonical === undefined) counts.uncompared++
      else
        expect({ document, elements: ofElement(ours) }).toEqual({
          document,
          elements: ofCanonical(canonical),
        })
    }
  }
  // Fewer would compare too little.
  expect(counts.accepted).toBeGreaterThan(documentCount / 10)
  expect(counts.refused).toBeGreaterThan(documentCount / 10)
  expect(counts.uncompared).toBeLessThan(documentCount / 100)
  expect(counts.deliberate).toBeLessThan(documentCount / 20)
}
