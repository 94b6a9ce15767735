import { expect, test } from 'vitest'
import { isSameFolder } from './wrapper-folders.ts'

const folder = 'C:\\Users\\Åse\\AppData\\Local\\Acme\\Wrapper'

test.each<[NodeJS.Platform, string, string, boolean]>([
  ['win32', folder, folder, true],
  ['win32', folder, folder.toUpperCase(), true],
  ['win32', folder, `${folder}\\`, true],
  ['win32', folder, folder.replaceAll('\\', '/'), true],
  ['win32', folder, `${folder}\\..\\Wrapper`, true],
  ['win32', folder, `${folder}2`, false],
  ['win32', folder, folder.replace('C:', 'D:'), false],
  ['linux', '/home/a/w', '/home/a/w/', true],
  ['linux', '/home/a/w', '/home/a/./w', true],
  ['linux', '/home/a/w', '/home/a/W', false],
  ['linux', '/home/a/w', '/home/a\\w', false],
])('on %s, that %j and %j are one folder is %s', (platform, one, other, expected) => {
  expect(isSameFolder(one, other, platform)).toBe(expected)
})
