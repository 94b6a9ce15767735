import { encodeFrame, FrameDecoder, parseCommand } from '@service-link/protocol-core'
import { parseXmlInput } from '@service-link/xml-input'
import { XMLParser } from 'fast-xml-parser'
import { measureInTurns } from '../measure/calls.ts'
import { type Goal, growthOf, type MeasuredPath, type Row } from '../report.ts'

interface Size {
  readonly name: string
  readonly floor: () => unknown
  readonly ours: () => unknown
  readonly goal?: Goal | undefined
}

/** Measures sizes in ascending order against their floor, and checks that the cost stays in proportion. */
async function measureSizes(subject: string, floorName: string, sizes: readonly Size[]): Promise<Row[]> {
  const contenders = sizes.flatMap(({ floor, ours }, index) => [
    [`floor of ${index}`, floor] as const,
    [`${index}`, ours] as const,
  ])
  const micros = await measureInTurns(Object.fromEntries(contenders), 30)
  const rows = sizes.map(({ name, goal }, index): Row => {
    const beside = { of: floorName, value: micros[`floor of ${index}`] ?? Number.NaN }
    return { name, unit: 'µs', beside, ours: micros[index] ?? Number.NaN, goal }
  })
  return [...rows, growthOf(subject, rows)]
}

export const xmlFilePath: MeasuredPath = {
  name: 'xml',
  title: 'XML file to person',
  async measure() {
    const rows = await measureSizes('files', 'fast-xml-parser', [
      file(0, { on: 'ratio', atMost: 1.5 }),
      file(60),
      file(660),
    ])
    return { rows }
  },
}

/** Floor: fast-xml-parser's validated parse of the text, in that parser's shape. */
function file(unknownCount: number, goal?: Goal): Size {
  const bytes = sampleFile(unknownCount)
  const text = bytes.toString('utf8')
  const parser = new XMLParser({ ignoreAttributes: false })
  return {
    name: `${bytes.length.toLocaleString('en')} bytes`,
    floor: () => parser.parse(text, true),
    ours: () => parseXmlInput(bytes, { culture: 'nb-NO' }),
    goal,
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

/** Small chunks, so that a frame arrives in many. */
const chunkBytes = 1024

/** The cost per unit of input must not depend on the size of the input. */
export const growthPath: MeasuredPath = {
  name: 'growth',
  title: 'Sizes of frames and of profile data',
  async measure() {
    return {
      rows: [
        ...(await measureSizes('frames', 'copy', [0.1, 1, 32, 256, 1024, 8192].map(frame))),
        ...(await measureSizes('profile data', 'structuredClone', [person(10), person(100), person(1000)])),
      ],
    }
  },
}

/** A frame, encoded and reassembled from chunks. Floor: its text, written and copied in existing memory. */
function frame(kibibytes: number): Size {
  const text = 'x'.repeat(Math.round(kibibytes * 1024))
  const [first, second] = [Buffer.alloc(text.length), Buffer.alloc(text.length)]
  return {
    name: `frame of ${kibibytes.toLocaleString('en')} KiB`,
    floor: () => {
      first.write(text)
      first.copy(second)
    },
    ours: () => {
      const decoder = new FrameDecoder({ maxFrameBytes: text.length })
      const bytes = encodeFrame(text)
      for (let at = 0; at < bytes.length; at += chunkBytes) decoder.push(bytes.subarray(at, at + chunkBytes))
      decoder.end()
    },
  }
}

/** The arguments of `selectperson` with profile data, parsed and checked. Floor: the same value, copied. */
function person(entryCount: number): Size {
  const profiledata = Array.from({ length: entryCount }, (_, index) => ({
    key: `measure_${index}`,
    name: 'Measure',
    value: '12.5',
    unit: 'kg',
    date: '2016-06-01 10:00',
    source: 'Journal',
    customkey: 'kept',
  }))
  const args = { customid: 'p', firstname: 'Ada', lastname: 'Lovelace', profiledata }
  return {
    name: `${entryCount.toLocaleString('en')} profile entries`,
    floor: () => structuredClone(args),
    ours: () => parseCommand('selectperson', args, { culture: 'nb-NO' }),
  }
}
