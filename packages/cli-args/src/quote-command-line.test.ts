import { ArgsError } from '@service-link/protocol-core/errors'
import file from '@service-link/vectors/argument-quoting.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { quotePosixShell, quoteWindowsCommandLine } from './quote-command-line.ts'

interface Vector {
  readonly id: string
  readonly requirement: string
  readonly name: string
  readonly input: { readonly argv?: readonly string[] }
  readonly expect: { readonly windows?: string; readonly posix?: string }
}

const vectors: readonly Vector[] = file.vectors

describe('argument-quoting.json', () => {
  for (const { id, requirement, name, input, expect: expected } of vectors) {
    const { argv } = input
    // The others are for programs that split a line.
    if (!argv) continue
    test(`[${requirement}] ${name} (${id})`, () => {
      expect(quoteWindowsCommandLine(argv)).toBe(expected.windows)
      expect(quotePosixShell(argv)).toBe(expected.posix)
    })
  }
})

test('a NUL character is refused, in either spelling', () => {
  expect(() => quoteWindowsCommandLine(['a=\0'])).toThrow(ArgsError)
  expect(() => quotePosixShell(['a=\0'])).toThrow(ArgsError)
})

test('a command line longer than Windows takes is refused', () => {
  expect(quoteWindowsCommandLine(['x'.repeat(32_766)])).toHaveLength(32_766)
  expect(() => quoteWindowsCommandLine(['x'.repeat(32_767)])).toThrow(ArgsError)
})
