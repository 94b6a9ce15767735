import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readArguments } from './read-arguments.ts'

/** Arguments as an array, or as a whole command line. */
export type ArgumentCase = { readonly argv: readonly string[] } | { readonly line: string }

// Runs in Node for Windows: starts a native program with each entry of a file and prints the received arguments.
const [, , program = '', file = ''] = process.argv
const cases: readonly ArgumentCase[] = JSON.parse(readFileSync(file, 'utf8'))

const results = cases.map(each => {
  const isLine = 'line' in each
  const argv = isLine ? (each.line === '' ? [] : [each.line]) : each.argv
  const { stdout, status } = spawnSync(program, argv, {
    encoding: 'utf8',
    windowsVerbatimArguments: isLine,
    timeout: 60_000,
  })
  if (status !== 0) throw new Error(`The program ended with ${status}.`)
  return readArguments(stdout)
})
process.stdout.write(JSON.stringify(results))
