import file from '@service-link/vectors/person-mapping.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parseXmlInput } from './parse-xml-input.ts'

interface Vector {
  readonly id: string
  readonly name: string
  readonly input: { readonly culture?: string; readonly xml?: string }
  readonly expect?: object
  readonly error?: { readonly code: string; readonly paths: { readonly xml?: readonly string[] } }
}

const vectors: readonly Vector[] = file.vectors
const spellings = vectors.filter(({ input }) => input.xml)

test.for(spellings)(
  'the XML file’s spelling: $name ($id)',
  ({ input: { xml, culture = 'nb-NO' }, expect: person, error }) => {
    const parse = () => parseXmlInput(new TextEncoder().encode(xml), { culture })
    if (!error) return expect(parse().commands).toEqual([{ name: 'selectperson', args: person }])
    const issues = error.paths.xml?.map(path => expect.objectContaining({ path }))
    expect(parse).toThrow(expect.objectContaining({ code: error.code, issues }))
  },
)
