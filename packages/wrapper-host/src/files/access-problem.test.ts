import { expect, test } from 'vitest'
import { accessProblem } from './access.ts'

const me = 1000

test.each<[title: string, uid: number, mode: number, isPrivate: boolean, problem: string | undefined]>([
  ['its owner’s alone', me, 0o100600, true, undefined],
  ['the administrator’s', 0, 0o100600, true, undefined],
  ['readable by all, where nothing is secret', me, 0o100644, false, undefined],
  ['readable by all, where something is', me, 0o100644, true, 'may be read by other users (chmod go-rwx)'],
  [
    'to be run by its group, where something is secret',
    me,
    0o100710,
    true,
    'may be read by other users (chmod go-rwx)',
  ],
  ['writable by its group', me, 0o100664, false, 'may be changed by other users (chmod go-w)'],
  [
    'writable by all, like a folder of temporary files',
    0,
    0o41777,
    false,
    'may be changed by other users (chmod go-w)',
  ],
  ['another user’s', 1001, 0o100600, false, 'belongs to another user'],
])('a file that is %s', (_title, uid, mode, isPrivate, problem) => {
  expect(accessProblem({ uid, mode }, isPrivate, me)).toBe(problem)
  expect(accessProblem({ uid: BigInt(uid), mode: BigInt(mode) }, isPrivate, me)).toBe(problem)
})
