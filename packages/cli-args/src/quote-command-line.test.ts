import { ArgsError } from '@service-link/protocol-core/errors'
import file from '@service-link/protocol-vectors/argument-quoting.json' with { type: 'json' }
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotePosixShell, quoteWindowsCommandLine, splitWindowsCommandLine } from './quote-command-line.ts'

interface Vector {
  readonly id: string
  readonly requirement: string
  readonly name: string
  readonly input: { readonly argv?: readonly string[]; readonly windows?: string }
  readonly expect: { readonly windows?: string; readonly posix?: string; readonly argv?: readonly string[] }
}

const vectors: readonly Vector[] = file.vectors

describe('argument-quoting.json', () => {
  for (const { id, requirement, name, input, expect: expected } of vectors) {
    test(`[${requirement}] ${name} (${id})`, () => {
      if (input.argv) {
        expect(quoteWindowsCommandLine(input.argv)).toBe(expected.windows)
        expect(splitWindowsCommandLine(quoteWindowsCommandLine(input.argv))).toEqual(input.argv)
        expect(quotePosixShell(input.argv)).toBe(expected.posix)
      } else expect(splitWindowsCommandLine(input.windows ?? '')).toEqual(expected.argv)
    })
  }
})

test('[4.3-grammar] a Windows command line splits into its original arguments', () => {
  const nasty = fc.string({ unit: fc.constantFrom('"', '\\', ' ', '\t', '\n', 'a', '='), maxLength: 12 })
  const plain = fc.string({ unit: 'binary', maxLength: 20 }).map(value => value.replaceAll('\0', ''))
  fc.assert(
    fc.property(fc.array(fc.oneof(nasty, plain), { maxLength: 6 }), argv => {
      expect(splitWindowsCommandLine(quoteWindowsCommandLine(argv))).toEqual(argv)
    }),
    { numRuns: 200 },
  )
})

test('a NUL character is refused, in either spelling', () => {
  expect(() => quoteWindowsCommandLine(['a=\0'])).toThrow(ArgsError)
  expect(() => quotePosixShell(['a=\0'])).toThrow(ArgsError)
})

test('a command line longer than Windows takes is refused', () => {
  expect(quoteWindowsCommandLine(['x'.repeat(32_766)])).toHaveLength(32_766)
  expect(() => quoteWindowsCommandLine(['x'.repeat(32_767)])).toThrow(ArgsError)
})
