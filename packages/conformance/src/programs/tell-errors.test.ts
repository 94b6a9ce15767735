import { expect, test } from 'vitest'
import { tellErrors } from './tell-errors.ts'

test.each([
  ['\n', ''],
  ['Could not open input file: /home/kari/sign.php\n', 'Could not open input file: /home/kari/sign.php'],
  ['Error: No file\n    at open (a.js:1:2)\n    at main (a.js:3:4)\n', 'Error: No file'],
  ['Signed eyJhbGciOiJSUzI1NiJ9.e30.c2ln at 10', 'Signed … at 10'],
  ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nWrong key', '… | Wrong key'],
  [`ask ${'0f'.repeat(32)}, secret ${'aB3_'.repeat(8)}`, 'ask …, secret …'],
])('of standard error %j a fault tells %j', (errors, told) => {
  expect(tellErrors({ errors })).toBe(told && ` Standard error ends with: ${told}`)
})
