import { ArgsError } from '@service-link/protocol-core'
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
    if (!error) {
      const { commands } = parseArguments(commandLine, { culture })
      expect(commands).toEqual([{ name: 'selectperson', args: person }])
      return
    }
    const { code, issues } = refusalOf(() => parseArguments(commandLine, { culture }))
    expect({ code, paths: issues.map(({ path }) => path) }).toEqual({
      code: error.code,
      paths: error.paths.commandLine,
    })
  },
)

function refusalOf(run: () => unknown): ArgsError {
  try {
    run()
  } catch (error) {
    if (error instanceof ArgsError) return error
    throw error
  }
  throw new Error('was accepted')
}
