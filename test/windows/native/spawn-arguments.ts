import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beginAgain } from '../wine/begin-again.ts'
import { type NativeArguments, readArguments } from './read-arguments.ts'

/** Arguments as an array, or as a whole command line. */
export type ArgumentCase = { readonly argv: readonly string[] } | { readonly line: string }

// Runs in Node for Windows: starts a native program with each entry of a file and prints the received arguments.
const [, , program = '', file = ''] = process.argv
const cases: readonly ArgumentCase[] = JSON.parse(readFileSync(file, 'utf8'))

/** Longest run of a program that takes milliseconds, in milliseconds. */
const timeout = 30_000

/** @throws when the program failed; a crash has an exit code too */
function run(each: ArgumentCase): NativeArguments | undefined {
  const isLine = 'line' in each
  const argv = isLine ? (each.line === '' ? [] : [each.line]) : each.argv
  const options = { encoding: 'utf8', windowsVerbatimArguments: isLine, timeout } as const
  const { stdout, status, error } = spawnSync(program, argv, options)
  if (error && 'code' in error && error.code === 'ETIMEDOUT' && stdout === '') return undefined
  if (status !== 0) throw new Error(`The program ended with ${status}.`, { cause: error })
  return readArguments(stdout)
}

const results: NativeArguments[] = []
for (const each of cases) results.push(await beginAgain(() => run(each)))
process.stdout.write(JSON.stringify(results))
