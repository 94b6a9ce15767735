import { describe, expect, test } from 'vitest'
import { posixPaths, windowsPaths } from './launch-file.ts'

describe('paths of files on Windows', () => {
  test.each([
    ['input.xml', String.raw`C:\work\input.xml`],
    ['in/input.xml', String.raw`C:\work\in\input.xml`],
    [String.raw`..\input.xml`, String.raw`C:\input.xml`],
    [String.raw`\input.xml`, String.raw`C:\input.xml`],
    ['c:input.xml', String.raw`c:\work\input.xml`],
    [String.raw`D:\in\input.xml`, String.raw`D:\in\input.xml`],
    [String.raw`C:\PROGRA~1\INPUT~1.XML`, String.raw`C:\PROGRA~1\INPUT~1.XML`],
    [String.raw`\\server\share\in\input.xml`, String.raw`\\server\share\in\input.xml`],
    ['//server/share/input.xml', String.raw`\\server\share\input.xml`],
    [String.raw`\\?\C:\in\input.xml`, String.raw`C:\in\input.xml`],
    [String.raw`\\?\UNC\server\share\input.xml`, String.raw`\\server\share\input.xml`],
    ['console.xml', String.raw`C:\work\console.xml`],
    ['my nul.xml', String.raw`C:\work\my nul.xml`],
  ])('%s is %s', (name, path) => {
    expect(windowsPaths.resolve(String.raw`C:\work`, name)).toBe(path)
    expect(windowsPaths.isFilePath(path)).toBe(true)
  })

  test.each([
    [String.raw`\\?\C:\work`, String.raw`C:\work\input.xml`],
    [String.raw`\\server\share\work`, String.raw`\\server\share\work\input.xml`],
  ])('from %s a name leads to %s', (workingDirectory, path) => {
    expect(windowsPaths.resolve(workingDirectory, 'input.xml')).toBe(path)
  })

  test.each([
    String.raw`\\.\pipe\input.xml`,
    '//./pipe/input.xml',
    String.raw`\\?\pipe\input.xml`,
    String.raw`\\?\GLOBALROOT\Device\NamedPipe\input.xml`,
    String.raw`\??\pipe\input.xml`,
    String.raw`\\.\C:\input.xml`,
    String.raw`\\localhost\pipe\input.xml`,
    String.raw`\\server\IPC$\input.xml`,
    String.raw`\\?\UNC\localhost\PIPE\input.xml`,
    String.raw`\\server\mailslot\input.xml`,
    'NUL.xml',
    'con.xml',
    'CONIN$',
    String.raw`C:\in\aux.data.xml`,
    String.raw`C:\in\COM1.xml`,
    'lpt¹.xml',
    'prn .xml',
    'input.xml:stream.xml',
    'input.xml::$DATA',
    'd:input.xml',
  ])('%s is no path of a file', name => {
    expect(windowsPaths.isFilePath(windowsPaths.resolve(String.raw`C:\work`, name))).toBe(false)
  })
})

test('elsewhere every name may be a file’s', () => {
  for (const name of ['input.xml', 'NUL.xml', 'input.xml:stream', String.raw`\\.\pipe\input.xml`])
    expect(posixPaths.isFilePath(posixPaths.resolve('/work', name))).toBe(true)
})
