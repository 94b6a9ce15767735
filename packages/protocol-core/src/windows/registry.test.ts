import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openRegistry, RegistryError } from './index.ts'

// The registry of a test's Windows outlives its run, and process ids come again.
const id = randomUUID()
const key = `Software\\Service Test\\Øvre ${id}`

describe('the registry', () => {
  it.runIf(process.platform !== 'win32')('is on Windows alone', () => {
    expect(openRegistry()).toBeUndefined()
  })

  it.runIf(process.platform === 'win32')('gives back what it was given, in any letters', () => {
    const registry = openRegistry()
    expect(registry?.read('HKCU', key)).toEqual(new Map())
    expect(registry?.isWritable('HKCU', key)).toBe(true)
    expect(registry?.read('HKCU', key)).toEqual(new Map())
    registry?.write('HKCU', key, { path: 'C:\\Programmer\\Łódź', version: '' })
    expect(registry?.read('HKCU', key)).toEqual(
      new Map([
        ['path', 'C:\\Programmer\\Łódź'],
        ['version', ''],
      ]),
    )
    expect(registry?.keysBelow('HKCU', 'Software\\Service Test')).toContain(`Øvre ${id}`)
    registry?.remove('HKCU', key, ['path', 'version', 'never'])
    expect(registry?.read('HKCU', key)).toEqual(new Map())
  })

  it.runIf(process.platform === 'win32')('reads numbers, and variables by their values', () => {
    const windows = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
    const environment = 'System\\CurrentControlSet\\Control\\Session Manager\\Environment'
    const registry = openRegistry()
    expect(registry?.read('HKLM', windows).get('CurrentMajorVersionNumber')).toBe(10)
    expect(registry?.read('HKLM', environment).get('ComSpec')).toMatch(/^C:\\windows/i)
  })

  it('names the key and the error of Windows', () => {
    const error = new RegistryError('HKLM\\Software\\X', 5)
    expect(error).toMatchObject({ code: 'ERR_REGISTRY', key: 'HKLM\\Software\\X', status: 5 })
    expect(error.message).toBe('The registry key HKLM\\Software\\X cannot be used (error 5 of Windows).')
  })
})
