import { nativeCalls, openSystemLibrary, wideText } from '@service-link/protocol-core/windows'

const functions = { ShellExecuteExW: { return: 'int32', arguments: ['buffer'] } } as const

/** `SEE_MASK_ASYNCOK`: a browser that starts slowly holds nobody up. `SEE_MASK_FLAG_NO_UI`: no box without a browser. */
const mask = 0x100000 | 0x400
const showNormal = 1
/** `SHELLEXECUTEINFOW` of 64 bits: its size, and the places of its members. */
const info = { bytes: 112, size: 0, mask: 4, verb: 16, file: 24, show: 48 } as const

/**
 * Opens a web address in the user's browser.
 *
 * @returns false without `node:ffi`, and where Windows refuses at once
 */
export function openAddress(url: string): boolean {
  const shell32 = openSystemLibrary('shell32', functions)
  const calls = nativeCalls()
  if (!shell32 || !calls) return false
  const [verb, file] = [wideText('open'), wideText(url)]
  const call = Buffer.alloc(info.bytes)
  call.writeUInt32LE(info.bytes, info.size)
  call.writeUInt32LE(mask, info.mask)
  call.writeBigUInt64LE(calls.getRawPointer(verb), info.verb)
  call.writeBigUInt64LE(calls.getRawPointer(file), info.file)
  call.writeInt32LE(showNormal, info.show)
  return shell32.ShellExecuteExW(call) !== 0
}
