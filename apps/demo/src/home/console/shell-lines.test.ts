import { expect, test } from 'vitest'
import { shellLines } from './shell-lines.ts'

test.each([
  ['linux', '/tmp/a b', "export ROOT='/tmp/a b' OTHER='x'"],
  ['darwin', "/Users/o'hara", String.raw`export ROOT='/Users/o'\''hara' OTHER='x'`],
  ['win32', String.raw`C:\Users\o'hara`, String.raw`$env:ROOT='C:\Users\o''hara'; $env:OTHER='x'`],
] as const)('on %s variables are set as the shell there takes it', (platform, value, line) => {
  expect(shellLines(platform).set({ ROOT: value, OTHER: 'x' })).toBe(line)
})
