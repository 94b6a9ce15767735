import { expect, test } from 'vitest'
import { systemProgram } from './system-program.ts'

test.each([
  ['Windows', { SystemRoot: 'D:\\Windows' }, 'D:'],
  ['nothing that is known', {}, 'C:'],
  ['a folder below the working directory', { SystemRoot: 'Windows' }, 'C:'],
  ['a folder of whichever drive', { SystemRoot: '\\Windows' }, 'C:'],
])('starts programs of Windows by their absolute path, with SystemRoot %s', (_name, environment, drive) => {
  expect(systemProgram('reg.exe', environment)).toBe(`${drive}\\Windows\\System32\\reg.exe`)
})
