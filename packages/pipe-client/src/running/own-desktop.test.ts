import { execFileSync } from 'node:child_process'
import { systemProgram } from '@service-link/protocol-core/brand'
import { describe, expect, test, vi } from 'vitest'
import { ownDesktop, readSession } from './own-desktop.ts'

describe('the desktop of a process', () => {
  test.runIf(process.platform === 'win32')(
    'is the number that Windows gives it, whatever its variables',
    () => {
      const lines = execFileSync(systemProgram('tasklist.exe'), ['/FO', 'CSV', '/NH'], { encoding: 'latin1' })
      const session = String(readSession(lines, process.pid))
      expect(session).toMatch(/^[1-9]\d*$/)
      expect(ownDesktop({ TEMP: 'C:\\Temp\\7', SESSIONNAME: 'RDP-Tcp#7' })).toBe(session)
    },
  )

  test.runIf(process.platform === 'win32')(
    'is asked for by a program where Node has no node:ffi',
    async () => {
      const { getBuiltinModule } = process
      vi.resetModules()
      process.getBuiltinModule = ((name: string) =>
        name === 'node:ffi' ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule
      try {
        expect((await import('./own-desktop.ts')).ownDesktop()).toBe(ownDesktop())
      } finally {
        process.getBuiltinModule = getBuiltinModule
      }
    },
  )

  test.skipIf(process.platform === 'win32')('is an error where the system does not tell it', () => {
    expect(() => ownDesktop({}, 'win32')).toThrow(expect.objectContaining({ code: 'ERR_DESKTOP_UNKNOWN' }))
  })

  test.each<[string, string, number | undefined]>([
    ['a console', '"node.exe","47","Console","1","50 000 K"\r\n', 1],
    [
      'a terminal server',
      '"a.exe","4","Services","0","1 K"\r\n"node.exe","47","RDP-Tcp#0","12","50,000 K"\r\n',
      12,
    ],
    ['a service', '"node.exe","47","Services","0","50.000 K"\r\n', 0],
    ['another process', '"47","147","Console","1","47"\r\n', undefined],
    ['a notice', 'INFO: No tasks are running which match the specified criteria.\r\n', undefined],
  ])('is read from the list of processes: %s', (_title, lines, session) => {
    expect(readSession(lines, 47)).toBe(session)
  })
})
