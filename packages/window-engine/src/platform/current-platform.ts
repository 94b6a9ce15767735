import { darwin } from './darwin.ts'
import { linux } from './linux.ts'
import { win32 } from './win32.ts'
import type { WindowPlatform } from './window-platform.ts'

/** The platform's own implementation; systems that are none of the three are taken for Linux. */
export function windowPlatform(platform: NodeJS.Platform = process.platform): WindowPlatform {
  if (platform === 'win32') return win32
  return platform === 'darwin' ? darwin : linux
}
