import { openSystemLibrary, wideText } from '@service-link/protocol-core/windows'

const functions = {
  GetProcessWindowStation: { return: 'uint64', arguments: [] },
  GetUserObjectInformationW: {
    return: 'int32',
    arguments: ['uint64', 'int32', 'buffer', 'uint32', 'pointer'],
  },
  MessageBoxW: { return: 'int32', arguments: ['uint64', 'buffer', 'buffer', 'uint32'] },
  PostQuitMessage: { return: 'void', arguments: ['int32'] },
  SetTimer: { return: 'uint64', arguments: ['uint64', 'uint64', 'uint32', 'pointer'] },
} as const

/** Whether {@link showMessageBox} can show anything from this Node. */
export const hasMessageBox = () => openSystemLibrary('user32', functions) !== undefined

/** `MB_ICONERROR`, `MB_TASKMODAL`, `MB_SETFOREGROUND`, and `MB_TOPMOST`: Windows may refuse the foreground. */
const look = 0x10 | 0x2000 | 0x10000 | 0x40000

/** `UOI_FLAGS`, and `WSF_VISIBLE` in the last of its three numbers. */
const station = { flags: 1, bytes: 12, at: 8, isVisible: 1 } as const

/**
 * Shows an error box, and waits in this thread until its user or the time closes it: for a process that does nothing else. Shows
 * nothing where nobody can see it, as in a service.
 */
export function showMessageBox(title: string, text: string, seconds: number): void {
  const user32 = openSystemLibrary('user32', functions)
  const flags = Buffer.alloc(station.bytes)
  if (!user32) return
  const window = user32.GetProcessWindowStation()
  user32.GetUserObjectInformationW(window, station.flags, flags, flags.length, null)
  if ((flags.readUInt32LE(station.at) & station.isVisible) === 0) return
  // The message to quit ends the box. A timer of no window calls with zero first, which is the code that this function takes.
  user32.SetTimer(0n, 0n, seconds * 1000, user32.PostQuitMessage.pointer)
  user32.MessageBoxW(0n, wideText(text), wideText(title), look)
}
