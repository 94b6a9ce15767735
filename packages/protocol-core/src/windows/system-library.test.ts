import { describe, expect, it, vi } from 'vitest'
import { nativeCalls, openSystemLibrary, readWideText, wideText, withParts } from './index.ts'

const currentSession = { ProcessIdToSessionId: { return: 'int32', arguments: ['uint32', 'buffer'] } } as const

describe('functions of system libraries', () => {
  it.runIf(process.platform === 'win32')('are called on Windows', () => {
    const kernel32 = openSystemLibrary('kernel32', currentSession)
    expect(kernel32?.ProcessIdToSessionId(process.pid, Buffer.alloc(4))).toBe(1)
    expect(openSystemLibrary('kernel32', currentSession)).toBe(kernel32)
  })

  it('are absent where the library lacks one, and on other systems', () => {
    expect(openSystemLibrary('kernel32', { NoSuchFunction: {} })).toBeUndefined()
    expect(openSystemLibrary('no-such-library', {})).toBeUndefined()
    if (process.platform !== 'win32') expect(openSystemLibrary('kernel32', currentSession)).toBeUndefined()
  })

  it('say nothing of being experimental', () => {
    const warn = vi.spyOn(process, 'emitWarning')
    nativeCalls()
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  it.runIf(nativeCalls())('get what a structure points to, in the same buffer', () => {
    const memory = withParts(Buffer.alloc(16), { 8: wideText('Åse'), 0: wideText('Ola') })
    const place = memory.readBigUInt64LE(8)
    expect(nativeCalls()?.getRawPointer(memory)).toBe(place - BigInt(memory.indexOf(wideText('Åse'))))
    expect(readWideText(nativeCalls()?.toBuffer(memory.readBigUInt64LE(), 8) ?? memory)).toBe('Ola')
  })

  it('take and give texts with a zero at the end', () => {
    expect(wideText('Å').toString('hex')).toBe('c5000000')
    expect(readWideText(Buffer.concat([wideText('Åse'), wideText('rest')]))).toBe('Åse')
  })
})
