import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { posix } from './posix.ts'
import { windows } from './windows.ts'

describe('the platform', () => {
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
