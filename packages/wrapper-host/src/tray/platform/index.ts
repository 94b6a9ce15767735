import { darwin } from './darwin.ts'
import { linux } from './linux.ts'
import type { TrayPlatform } from './tray-platform.ts'
import { win32 } from './win32.ts'

/** The platform's own implementation; systems that are none of the three are taken for Linux. */
export function trayPlatform(platform: NodeJS.Platform = process.platform): TrayPlatform {
  if (platform === 'win32') return win32
  return platform === 'darwin' ? darwin : linux
}
