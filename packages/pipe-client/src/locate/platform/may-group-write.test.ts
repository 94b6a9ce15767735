import { expect, test } from 'vitest'
import { mayGroupWrite } from './may-group-write.ts'

test.each<[string, Parameters<typeof mayGroupWrite>, boolean]>([
  ['the administrator’s own', [0, 'linux', 1000, 1000], true],
  ['the user’s own', [1000, 'linux', 1000, 1000], true],
  ['the primary one, where others are in it too', [100, 'linux', 1000, 100], false],
  ['one that has the user’s number by chance', [1000, 'linux', 1000, 100], false],
  ['another', [50, 'linux', 1000, 1000], false],
  ['the administrators’ of macOS', [80, 'darwin', 501, 20], true],
  ['everybody’s of macOS', [20, 'darwin', 501, 20], false],
  ['that number elsewhere', [80, 'linux', 501, 20], false],
])('a group that may write: %s', (_title, given, expected) => {
  expect(mayGroupWrite(...given)).toBe(expected)
})
