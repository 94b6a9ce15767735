import { tmpdir } from 'node:os'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { describe, expect, test } from 'vitest'
import { currentPlatform } from './current-platform.ts'
import { posix } from './posix.ts'
import { windows } from './windows.ts'

describe('the platform', () => {
  test('is the one that the process runs on', () => {
    expect(currentPlatform).toBe(process.platform === 'win32' ? windows : posix)
  })

  test('[4.5-name] gives the address of a process’s pipe', () => {
    expect(windows.addressOf(defaultBrand, 12)).toBe('\\\\.\\pipe\\servicepipe.12')
    if (process.platform !== 'win32')
      expect(posix.addressOf(defaultBrand, 12)).toBe(`${tmpdir()}/CoreFxPipe_servicepipe.12`)
  })

  test.runIf(process.platform !== 'win32')('tells a device and a folder from a pipe', () => {
    for (const address of ['/dev/null', tmpdir()])
      expect(() => posix.assertOwn(address)).toThrow(expect.objectContaining({ code: 'ERR_PIPE_DENIED' }))
  })

  test.runIf(process.platform !== 'win32')('has nothing against an address where nothing is', () => {
    posix.assertOwn(`${tmpdir()}/CoreFxPipe_servicepipe.nobody`)
  })
})
