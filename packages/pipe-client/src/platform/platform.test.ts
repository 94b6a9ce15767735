import { tmpdir } from 'node:os'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { currentPlatform } from './current-platform.ts'
import { posix } from './posix.ts'
import { windows } from './windows.ts'

afterEach(() => void vi.unstubAllEnvs())

describe('the platform', () => {
  test('[4.5-name] of this process is that of its operating system', () => {
    vi.stubEnv('TMPDIR', '/var/own')
    expect(currentPlatform.addressOf(defaultBrand, 12)).toBe(
      process.platform === 'win32' ? '\\\\.\\pipe\\servicepipe.12' : '/var/own/CoreFxPipe_servicepipe.12',
    )
  })

  test('[4.5-name] gives the address of a process’s pipe', () => {
    expect(windows.addressOf(defaultBrand, 12)).toBe('\\\\.\\pipe\\servicepipe.12')
    if (process.platform !== 'win32')
      expect(posix.addressOf(defaultBrand, 12)).toBe(`${tmpdir()}/CoreFxPipe_servicepipe.12`)
  })

  test.each([
    ['EPIPE', 'write', 'unread', 'unread'],
    ['ECONNRESET', 'read', 'unread', 'ended'],
    ['EPIPE', 'read', 'unread', 'ended'],
    ['EOF', 'write', 'unknown', 'unread'],
    ['EIO', 'read', 'unknown', 'unknown'],
  ])('knows what %s of a %s means', (code, syscall, onPosix, onWindows) => {
    const error = Object.assign(new Error(code), { code, syscall })
    expect([posix, windows].map(({ meaningOfBreak }) => meaningOfBreak(error))).toEqual([onPosix, onWindows])
  })

  test.runIf(process.platform !== 'win32')('tells a device and a folder from a pipe', () => {
    for (const address of ['/dev/null', tmpdir()])
      expect(() => posix.identifyOwn(address)).toThrow(expect.objectContaining({ code: 'ERR_PIPE_DENIED' }))
  })

  test.runIf(process.platform !== 'win32')('knows no pipe where nothing is', () => {
    expect(posix.identifyOwn(`${tmpdir()}/CoreFxPipe_servicepipe.nobody`)).toBeUndefined()
  })
})
