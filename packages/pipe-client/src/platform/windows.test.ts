import { join } from 'node:path'
import { defaultBrand, defineBrand } from '@service-link/protocol-core/brand'
import { openRegistry } from '@service-link/protocol-core/windows'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deadPid } from '../../test/support/processes.ts'
import { readRegistryExport, windows } from './windows.ts'

afterEach(() => void vi.unstubAllEnvs())

// Without `node:ffi`, reg.exe needs one.
test.skipIf(process.platform === 'win32')(
  'the registry is skipped without a folder for temporary files',
  async () => {
    const missing = join(import.meta.dirname, 'nowhere')
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, missing)
    expect(await windows.readRegistered(defaultBrand)).toEqual([])
  },
)

test.runIf(process.platform === 'win32')(
  '[4.2-path] the registry is also read where Node has no node:ffi',
  async () => {
    const brand = defineBrand({ vendor: `Read Test ${process.pid}`, application: 'Test.Wrapper' })
    const registry = openRegistry()
    const { getBuiltinModule } = process
    try {
      for (const hive of ['HKCU', 'HKLM'] as const)
        registry?.write(hive, brand.registryKey, { path: `C:\\Łódź\\${hive}`, version: '3.0.0.0' })
      const found = await windows.readRegistered(brand)
      expect(found.map(({ path }) => path)).toEqual(['C:\\Łódź\\HKCU', 'C:\\Łódź\\HKLM'])
      process.getBuiltinModule = ((name: string) =>
        name === 'node:ffi' ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule
      expect(await windows.readRegistered(brand)).toEqual(found)
    } finally {
      process.getBuiltinModule = getBuiltinModule
      for (const hive of ['HKCU', 'HKLM'] as const)
        registry?.remove(hive, brand.registryKey, ['path', 'version'])
    }
  },
)

// Without taskkill, which exists only on Windows.
test.each([
  ['not known to have ended, when nothing tells so', new Promise(() => undefined), false],
  ['known to have ended, when it has', Promise.resolve(), true],
])('a process of Windows is %s', async (_title, ended, isKnown) => {
  expect(await windows.endTree(deadPid(), ended)).toBe(isKnown)
})

const key = 'HKEY_CURRENT_USER\\Software\\Service\\Service.Client.WebWrapper'

/** Output of `reg export`: byte order mark, Windows line ends, and an empty last line. */
const exported = (...lines: string[]) =>
  `\ufeffWindows Registry Editor Version 5.00\r\n\r\n[${key}]\r\n${lines.join('\r\n')}\r\n\r\n`

const read = (...lines: string[]) =>
  readRegistryExport(exported(...lines), { LOCALAPPDATA: 'C:\\Users\\Åse\\AppData\\Local' })

/** A text of type `REG_EXPAND_SZ`, broken into lines like the exporter's. */
function expandable(name: string, text: string): string {
  const bytes = [...Buffer.from(`${text}\0`, 'utf16le')].map(byte => byte.toString(16).padStart(2, '0'))
  const lines: string[] = []
  while (bytes.length > 0) lines.push(bytes.splice(0, 20).join(','))
  return `"${name}"=hex(2):${lines.join(',\\\r\n  ')}`
}

describe('the values of the registry', () => {
  test('are folder and version', () => {
    const lines = ['"path"="C:\\\\Users\\\\ola\\\\Local\\\\Wrapper 3"', '"version"="3.0.0.0"']
    expect(read(...lines)).toEqual({ path: 'C:\\Users\\ola\\Local\\Wrapper 3', version: '3.0.0.0' })
  })

  test.each<[string, string, string]>([
    ['in any script', '"path"="C:\\\\Users\\\\Åse Øverås"', 'C:\\Users\\Åse Øverås'],
    ['under a name in any case', '"Path"="D:\\\\W"', 'D:\\W'],
    ['with a quote', '"path"="D:\\\\W \\"3\\""', 'D:\\W "3"'],
    ['on a server', '"path"="\\\\\\\\server\\\\share"', '\\\\server\\share'],
    ['that ends in a backslash', '"path"="D:\\\\"\r\n"other"="x"', 'D:\\'],
    ['with a variable', expandable('path', '%LOCALAPPDATA%\\W'), 'C:\\Users\\Åse\\AppData\\Local\\W'],
    [
      'with a variable in another case',
      expandable('path', '%LocalAppData%\\W'),
      'C:\\Users\\Åse\\AppData\\Local\\W',
    ],
    ['with an unknown variable', expandable('path', '%NOWHERE%\\W'), '%NOWHERE%\\W'],
    ['with per cent signs that are no variable', '"path"="D:\\\\%LOCALAPPDATA%"', 'D:\\%LOCALAPPDATA%'],
  ])('a folder %s', (_title, line, path) => {
    expect(read(line)).toEqual({ path })
  })

  test.each<[string, string[]]>([
    ['there are none', []],
    ['they are of another type', ['"path"=dword:00000001', '"version"=hex(7):41,00,00,00']],
    ['they have other names', ['@="D:\\\\W"', '"paths"="D:\\\\W"', '"pa\\"th"="D:\\\\W"']],
    ['they belong to a key below', [`\r\n[${key}\\Recent]`, '"path"="D:\\\\W"']],
  ])('are none when %s', (_title, lines) => {
    expect(read(...lines)).toEqual({})
  })
})
