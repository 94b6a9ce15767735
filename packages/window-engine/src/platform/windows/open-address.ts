import { openSystemLibrary, wideText, withParts } from '@service-link/protocol-core/windows'

const functions = { ShellExecuteExW: { return: 'int32', arguments: ['buffer'] } } as const

/** `SEE_MASK_ASYNCOK`: a browser that starts slowly holds nobody up. `SEE_MASK_FLAG_NO_UI`: no box without a browser. */
const mask = 0x100000 | 0x400
const showNormal = 1
/** `SHELLEXECUTEINFOW` of 64 bits: its size, and the places of its members. */
const info = { bytes: 112, size: 0, mask: 4, verb: 16, file: 24, show: 48 } as const

/**
 * Opens a web address in the user's browser. Where Windows refuses, nothing opens.
 *
 * @returns whether Windows was asked: false without `node:ffi`
 */
export function openAddress(url: string): boolean {
  const shell32 = openSystemLibrary('shell32', functions)
  if (!shell32) return false
  const call = Buffer.alloc(info.bytes)
  call.writeUInt32LE(info.bytes, info.size)
  call.writeUInt32LE(mask, info.mask)
  call.writeInt32LE(showNormal, info.show)
  shell32.ShellExecuteExW(withParts(call, { [info.verb]: wideText('open'), [info.file]: wideText(url) }))
  return true
}
