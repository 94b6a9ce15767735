import { parseXmlInput } from '@service-link/xml-input'
import { XMLParser } from 'fast-xml-parser'
import { measureSizes, type Size } from '../measure/sizes.ts'
import type { MeasuredPath } from '../report.ts'

export const xmlFilePath: MeasuredPath = {
  name: 'xml',
  title: 'XML file to person',
  async measure() {
    const { rows, growth } = await measureSizes('larger files', 'fast-xml-parser', [
      file(0),
      file(60),
      file(660),
    ])
    const goal = { on: 'ratio', atMost: 1.5 } as const
    return { rows: [...rows.slice(0, 1).map(row => ({ ...row, goal })), growth] }
  },
}

/** Floor: fast-xml-parser's validated parse of the text, in that parser's shape. */
function file(unknownCount: number): Size {
  const bytes = sampleFile(unknownCount)
  const text = bytes.toString('utf8')
  const parser = new XMLParser({ ignoreAttributes: false })
  return {
    name: `${bytes.length.toLocaleString('en')} bytes`,
    floor: () => parser.parse(text, true),
    ours: () => parseXmlInput(bytes, { culture: 'nb-NO' }),
  }
}

function sampleFile(unknownCount: number): Buffer {
  const unknown = Array.from(
    { length: unknownCount },
    (_, index) => `  <journal_${index}>A line of a journal &amp; more</journal_${index}>\n`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<serviceinput delete="true" exercisequery="" workoutquery="knee &amp; hip">
  <source_customerno>7c9e6679-7425-40de-944b-e07fc1f90ae7</source_customerno>
  <firstname>Søren</firstname>
  <lastname>van Dyk</lastname>
  <born>1980-04-03</born>
  <email>soren.van.dyk@example.com</email>
  <mobile>+4740000000</mobile>
  <address>Storgata 1</address>
${unknown.join('')}</serviceinput>
`)
}
