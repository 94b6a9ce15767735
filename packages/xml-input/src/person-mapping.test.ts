import file from '@service-link/protocol-vectors/person-mapping.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parseXmlInput } from './parse-xml-input.ts'

const spellings: readonly { readonly name: string; readonly person: object; readonly xml: string }[] =
  file.vectors.flatMap(({ name, person, input }) => (input.xml ? [{ name, person, xml: input.xml }] : []))

test.for(spellings)('the XML file’s spelling becomes the one person: $name', ({ person, xml }) => {
  expect(parseXmlInput(new TextEncoder().encode(xml)).commands).toEqual([
    { name: 'selectperson', args: person },
  ])
})
