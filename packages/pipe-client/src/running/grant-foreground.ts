import { openSystemLibrary } from '@service-link/protocol-core/windows'

const functions = { AllowSetForegroundWindow: { return: 'int32', arguments: ['uint32'] } } as const

/** Processes that bring a wrapper's window to the front. */
interface Raising {
  readonly pid: number
  readonly browserPid?: number | undefined
}

/**
 * Lets a wrapper bring its window in front of this process's. Windows refuses that to a process in the background unless the one in
 * front, or one that it has started, allows it, for the time until the user types or clicks elsewhere. Windows keeps the last allowance,
 * so the wrapper has it; the browser's counts if the wrapper's process is gone. Does nothing on other systems, without `node:ffi`, and
 * for a process without that right.
 */
export function grantForeground({ pid, browserPid }: Raising): void {
  if (process.platform !== 'win32') return
  const user32 = openSystemLibrary('user32', functions)
  if (browserPid !== undefined) user32?.AllowSetForegroundWindow(browserPid)
  user32?.AllowSetForegroundWindow(pid)
}
