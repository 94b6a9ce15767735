import file from '@service-link/vectors/person-mapping.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parseArguments } from './parse-arguments.ts'

interface Vector {
  readonly id: string
  readonly name: string
  readonly input: { readonly culture?: string; readonly commandLine?: readonly string[] }
  readonly expect?: object
  readonly error?: { readonly code: string; readonly paths: { readonly commandLine?: readonly string[] } }
}

const vectors: readonly Vector[] = file.vectors
const spellings = vectors.filter(({ input }) => input.commandLine)

test.for(spellings)(
  '[4.3-select-or-create] the command line’s spelling: $name ($id)',
  ({ input: { commandLine = [], culture = 'nb-NO' }, expect: person, error }) => {
    const parse = () => parseArguments(commandLine, { culture })
    if (!error) return expect(parse().commands).toEqual([{ name: 'selectperson', args: person }])
    const issues = error.paths.commandLine?.map(path => expect.objectContaining({ path }))
    expect(parse).toThrow(expect.objectContaining({ code: error.code, issues }))
  },
)
