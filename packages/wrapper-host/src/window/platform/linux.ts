import { delimiter, join } from 'node:path'
import { killProcessGroup } from './process-group.ts'
import type { BrowserFamily, WindowPlatform } from './window-platform.ts'

const names: readonly (readonly [BrowserFamily, string])[] = [
  ['chrome', 'google-chrome-stable'],
  ['chrome', 'google-chrome'],
  ['edge', 'microsoft-edge-stable'],
  ['edge', 'microsoft-edge'],
  ['chromium', 'chromium'],
  ['chromium', 'chromium-browser'],
]

const usualFolders = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
  '/snap/bin',
]

/** Linux and other systems with X11 or Wayland. */
export const linux: WindowPlatform = {
  browserPlaces(environment) {
    const folders = [...(environment.PATH ?? '').split(delimiter).filter(Boolean), ...usualFolders]
    return names.flatMap(([family, name]) =>
      [...new Set(folders)].map(folder => ({ family, executable: join(folder, name) })),
    )
  },
  displayProblem: environment =>
    environment.DISPLAY || environment.WAYLAND_DISPLAY
      ? undefined
      : 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in a desktop session, or set BrowserEngine to Headless.',
  registeredBrowsers: async () => [],
  drivingProblem: async () => undefined,
  browserFolder: () => undefined,
  versionSource: 'executable',
  openerCall: url => ({ file: 'xdg-open', args: [url] }),
  killTree: killProcessGroup,
  endGroup: killProcessGroup,
  isPrivileged: () => process.getuid?.() === 0,
  hints: () => ({ platform: 'Linux', platformVersion: '' }),
}
