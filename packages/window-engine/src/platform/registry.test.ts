import { describe, expect, it } from 'vitest'
import { linesOfKey, readAppPath } from './registry.ts'

const key = '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\App Paths\\chrome.exe]'
const head = `\uFEFFWindows Registry Editor Version 5.00\r\n\r\n`
const read = (...lines: string[]) =>
  readAppPath(linesOfKey(head + lines.join('\r\n')), 'chrome.exe', {
    LocalAppData: 'C:\\Users\\Åse\\AppData\\Local',
  })
const hex = (text: string) =>
  [...Buffer.from(`${text}\0`, 'utf16le')].map(byte => byte.toString(16).padStart(2, '0'))

describe('readAppPath', () => {
  it('reads the unnamed value', () => {
    const file = 'C:\\Users\\Åse\\Chrome\\chrome.exe'
    const written = file.replaceAll('\\', '\\\\')
    expect(read(key, '"Path"="C:\\\\other"', `@="${written}"`)).toBe(file)
    expect(read(key, `@="\\"${written}\\""`)).toBe(file)
  })

  it('reads a text with variables over several lines', () => {
    const bytes = hex('%LOCALAPPDATA%\\Google\\chrome.exe')
    const lines = `@=hex(2):${bytes.slice(0, 20).join(',')},\\\r\n  ${bytes.slice(20).join(',')}`
    expect(read(key, lines)).toBe('C:\\Users\\Åse\\AppData\\Local\\Google\\chrome.exe')
  })

  it.each([
    ['there is none', [key, '"Path"="C:\\\\Chrome"']],
    ['it belongs to a key below', [key, '', `${key.slice(0, -1)}\\below]`, '@="C:\\\\a\\\\chrome.exe"']],
    ['it is relative', [key, '@="chrome.exe"']],
    ['it is of another program', [key, '@="C:\\\\a\\\\cmd.exe"']],
    ['it has another type', [key, '@=dword:00000001']],
  ])('finds nothing when %s', (_, lines) => {
    expect(read(...lines)).toBeUndefined()
  })
})
