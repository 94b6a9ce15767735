import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { readFilePolicies } from './driving-policy.ts'
import {
  type Alert,
  alertSeconds,
  type BrowserFamily,
  type Environment,
  killProcessGroup,
  type WindowPlatform,
} from './window-platform.ts'

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

/** What desktops show a message box with, the preferred ones first. Each takes the text as one argument. */
const alertPrograms: Readonly<Record<string, (alert: Alert) => readonly string[]>> = {
  zenity: ({ title, text }) => [
    '--error',
    '--no-markup',
    `--timeout=${alertSeconds}`,
    `--title=${title}`,
    `--text=${text}`,
  ],
  kdialog: ({ title, text }) => ['--title', title, '--error', text],
  gxmessage: boxArguments,
  xmessage: boxArguments,
  // Stays until it is clicked away, and holds no process.
  'notify-send': ({ title, text }) => ['--urgency=critical', '--', title, text.replaceAll('<', '&lt;')],
}

/** These break no lines: a sentence would be wider than the screen. */
function boxArguments({ title, text }: Alert): readonly string[] {
  const lines = text.replaceAll(/(.{1,80}) /g, '$1\n')
  return ['-title', title, '-timeout', String(alertSeconds), '-center', '-buttons', 'OK', lines]
}

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
  drivingProblem: readFilePolicies,
  browserFolder: () => undefined,
  versionSource: 'executable',
  openerCall: url => ({ file: 'xdg-open', args: [url] }),
  alertCall(alert, environment) {
    for (const [name, argumentsOf] of Object.entries(alertPrograms)) {
      const file = findProgram(name, environment)
      if (file !== undefined) return { file, args: argumentsOf(alert) }
    }
    return undefined
  },
  killTree: killProcessGroup,
  endGroup: killProcessGroup,
  isPrivileged: () => process.getuid?.() === 0,
  hints: () => ({ platform: 'Linux', platformVersion: '' }),
}

/** Not in folders that depend on where the launch was made. */
function findProgram(name: string, { PATH = '' }: Environment): string | undefined {
  const files = PATH.split(delimiter).flatMap(folder => (isAbsolute(folder) ? [join(folder, name)] : []))
  return files.find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
