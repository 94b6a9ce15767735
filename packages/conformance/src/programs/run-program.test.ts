import { expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

const isPosix = process.platform !== 'win32'
const shell = (line: string, signal = AbortSignal.timeout(20_000)) =>
  runProgram(['/bin/sh', '-c', line], { signal })

test.runIf(isPosix)('a child that a program leaves behind ends with it', async () => {
  expect(await shell('sleep 600 & echo done')).toEqual({ exitCode: 0, output: 'done\n', errors: '' })
})

test.runIf(isPosix)('a child that writes on and on ends with the program', async () => {
  await expect(shell('yes & wait')).rejects.toThrow('wrote more than 33554432 bytes')
})

test.runIf(isPosix)('the signal ends a program and its children', async () => {
  const ending = new AbortController()
  const end = shell('sleep 600 & wait', ending.signal)
  ending.abort(new Error('Enough.'))
  await expect(end).rejects.toThrow('Enough.')
})
