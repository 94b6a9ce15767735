import file from '@service-link/protocol-vectors/person-mapping.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parseArguments } from './parse-arguments.ts'

const spellings: readonly {
  readonly name: string
  readonly person: object
  readonly argv: readonly string[]
}[] = file.vectors.flatMap(({ name, person, input }) =>
  input.commandLine ? [{ name, person, argv: input.commandLine }] : [],
)

test.for(spellings)(
  '[4.3-select-or-create] the command line’s spelling becomes the one person: $name',
  ({ person, argv }) => {
    expect(parseArguments(argv).commands).toEqual([{ name: 'selectperson', args: person }])
  },
)
