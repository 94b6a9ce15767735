import { expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

const node = (source: string, timeoutMs = 60_000) => runProgram(process.execPath, ['-e', source], timeoutMs)

test('a program’s output is returned', async () => {
  expect(await node('process.stdout.write("æ")')).toBe('æ')
})

test.each(['process.exit(1)', 'process.kill(process.pid)'])('%s is an error', async source => {
  await expect(node(source)).rejects.toThrow()
})

test('a program that does not end in time is ended', async () => {
  await expect(node('setInterval(() => undefined, 1_000)', 50)).rejects.toMatchObject({ killed: true })
})

test('a program is ended when its signal is aborted', async () => {
  const argv = ['-e', 'setInterval(() => undefined, 1_000)']
  const ending = runProgram(process.execPath, argv, 60_000, AbortSignal.timeout(50))
  await expect(ending).rejects.toMatchObject({ name: 'AbortError' })
})

test('no time at all is not as much as there may be', async () => {
  await expect(node('setInterval(() => undefined, 1_000)', 0)).rejects.toMatchObject({ killed: true })
})

test('a program that does not exist is an error', async () => {
  await expect(runProgram('/nowhere/program', [], 60_000)).rejects.toMatchObject({ code: 'ENOENT' })
})
