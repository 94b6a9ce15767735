import { expect, test } from 'vitest'
import { commandLine } from './command-line.ts'

test.each([
  ['linux', '/tmp/a b', "ROOT='/tmp/a b' npm run wrapper"],
  ['darwin', "/Users/o'hara", String.raw`ROOT='/Users/o'\''hara' npm run wrapper`],
  ['win32', String.raw`C:\Users\o'hara`, String.raw`$env:ROOT='C:\Users\o''hara'; npm run wrapper`],
] as const)('on %s a command is printed as the shell there takes it', (platform, value, line) => {
  expect(commandLine({ ROOT: value }, 'npm run wrapper', platform)).toBe(line)
})
