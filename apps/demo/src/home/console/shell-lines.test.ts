import { expect, test } from 'vitest'
import { shellLines } from './shell-lines.ts'

test.each([
  ['linux', '/tmp/a b', "export ROOT='/tmp/a b' OTHER='x'"],
  ['darwin', "/Users/o'hara", String.raw`export ROOT='/Users/o'\''hara' OTHER='x'`],
  ['win32', String.raw`C:\Users\o'hara`, String.raw`$env:ROOT='C:\Users\o''hara'; $env:OTHER='x'`],
] as const)('on %s variables are set as the shell there takes it', (platform, value, line) => {
  expect(shellLines(platform).set({ ROOT: value, OTHER: 'x' })).toBe(line)
})

test.each([
  ['linux', 'id=1001', 'id=1001'],
  ['linux', 'provider=A.B, A', "'provider=A.B, A'"],
  ['linux', '$HOME', "'$HOME'"],
  ['win32', 'payload=@file', "'payload=@file'"],
  ['win32', "O'Hara", "'O''Hara'"],
  // PowerShell takes these as quotes.
  ['win32', 'O‘H’a‚r‛a', "'O‘‘H’’a‚‚r‛‛a'"],
] as const)('on %s the argument %s is written %s', (platform, text, written) => {
  expect(shellLines(platform).quote(text)).toBe(written)
})
