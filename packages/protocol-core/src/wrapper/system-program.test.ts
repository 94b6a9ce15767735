import { expect, test } from 'vitest'
import { systemProgram } from './brand.ts'

test.each([
  ['Windows', { SystemRoot: 'D:\\Windows' }, 'D:\\Windows'],
  ['Windows with other slashes', { SystemRoot: 'd:/windows' }, 'd:\\windows'],
  ['nothing that is known', {}, 'C:\\Windows'],
  ['nothing', { SystemRoot: '' }, 'C:\\Windows'],
  ['a folder below the working directory', { SystemRoot: 'Windows' }, 'C:\\Windows'],
  ['a folder of whichever drive', { SystemRoot: '\\Windows' }, 'C:\\Windows'],
  ['a folder of whichever place on a drive', { SystemRoot: 'D:Windows' }, 'C:\\Windows'],
])('starts Windows programs by absolute path, with SystemRoot %s', (_name, environment, root) => {
  expect(systemProgram('reg.exe', environment)).toBe(`${root}\\System32\\reg.exe`)
})
