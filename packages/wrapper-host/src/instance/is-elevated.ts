import { posixPlace } from './platform/posix.ts'
import { windowsPlace } from './platform/windows.ts'

/** Whether this process has administrator rights: is root, or runs elevated. */
export function isElevated(): boolean {
  return (process.platform === 'win32' ? windowsPlace : posixPlace).isElevated()
}
