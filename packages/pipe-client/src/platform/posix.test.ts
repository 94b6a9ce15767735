import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mayGroupWrite, posix } from './posix.ts'
import { windows } from './windows.ts'

describe('the platform', () => {
  test.each([
    ['EPIPE', 'write', 'unread', 'unread'],
    ['ECONNRESET', 'read', 'unread', 'ended'],
    ['EPIPE', 'read', 'unread', 'ended'],
    ['EOF', 'write', 'unknown', 'unread'],
    ['EIO', 'read', 'unknown', 'unknown'],
  ])('knows the meaning of %s from a %s', (code, syscall, onPosix, onWindows) => {
    const error = Object.assign(new Error(code), { code, syscall })
    expect([posix, windows].map(({ meaningOfBreak }) => meaningOfBreak(error))).toEqual([onPosix, onWindows])
  })

  test.runIf(process.platform !== 'win32')('distinguishes a device and a folder from a pipe', () => {
    for (const address of ['/dev/null', tmpdir()])
      expect(() => posix.identifyOwn(address)).toThrow(expect.objectContaining({ code: 'ERR_PIPE_DENIED' }))
  })

  test.runIf(process.platform !== 'win32')('finds no pipe at an empty address', () => {
    expect(posix.identifyOwn(`${tmpdir()}/CoreFxPipe_servicepipe.nobody`)).toBeUndefined()
  })
})

test.skipIf(process.platform === 'win32')('a program that has gone is an error with a code', async () => {
  const file = join(import.meta.dirname, 'gone')
  await expect(posix.assertTrusted(file)).rejects.toMatchObject({
    code: 'ERR_PIPE_DENIED',
    message: `${file} cannot be looked at (ENOENT), and is not started.`,
  })
})

test.each<[string, Parameters<typeof mayGroupWrite>, boolean]>([
  ['the administrator’s own', [0, 'linux', 1000, 1000], true],
  ['the user’s own', [1000, 'linux', 1000, 1000], true],
  ['the primary one, where others are in it too', [100, 'linux', 1000, 100], false],
  ['one that has the user’s number by chance', [1000, 'linux', 1000, 100], false],
  ['another', [50, 'linux', 1000, 1000], false],
  ['the administrators’ of macOS', [80, 'darwin', 501, 20], true],
  ['everybody’s of macOS', [20, 'darwin', 501, 20], false],
  ['that number elsewhere', [80, 'linux', 501, 20], false],
])('a group that may write: %s', (_title, given, expected) => {
  expect(mayGroupWrite(...given)).toBe(expected)
})
