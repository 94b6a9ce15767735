import { darwin } from './darwin.ts'
import { linux } from './linux.ts'
import type { WindowPlatform } from './window-platform.ts'
import { win32 } from './windows.ts'

/** The implementation for a platform. Systems other than the three count as Linux. */
export function windowPlatform(platform: NodeJS.Platform = process.platform): WindowPlatform {
  if (platform === 'win32') return win32
  return platform === 'darwin' ? darwin : linux
}
