import { delimiter, posix as posixPath } from 'node:path'
import { type Programs, placesIn } from './browser-places.ts'
import { findOnPath } from './find-on-path.ts'
import { readPolicyFiles } from './policy-files.ts'
import { posix } from './posix.ts'
import { type Alert, alertSeconds, type WindowPlatform } from './window-platform.ts'

const names: Programs = [
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

/** Programs that show a message box, the preferred ones first. Each takes the text as one argument. */
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
  // The message stays until a click; the program ends at once.
  'notify-send': ({ title, text }) => ['--urgency=critical', '--', title, text.replaceAll('<', '&lt;')],
}

/** Breaks the lines, which these programs do not. */
function boxArguments({ title, text }: Alert): readonly string[] {
  const lines = text.replaceAll(/(.{1,80}) /g, '$1\n')
  return ['-title', title, '-timeout', String(alertSeconds), '-center', '-buttons', 'OK', lines]
}

/** Linux and other systems with X11 or Wayland. */
export const linux: WindowPlatform = {
  ...posix,
  name: 'Linux',
  browserPlaces: ({ PATH = '' }) => placesIn([...usualFolders, ...PATH.split(delimiter)], names, posixPath),
  readPolicies: readPolicyFiles,
  displayProblem: environment =>
    environment.DISPLAY || environment.WAYLAND_DISPLAY
      ? undefined
      : 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it on a desktop, or set BrowserEngine to Headless.',
  nativeProblem: ({ WAYLAND_DISPLAY }) =>
    WAYLAND_DISPLAY
      ? {
          problem:
            'Wayland lets no program bring its window to the front or hide it: the desktop may show a note instead, and "hide" minimizes.',
          remedy: 'Log in to a session with X11 where the window must come to the front by itself.',
        }
      : undefined,
  openerCall: url => ({ file: 'xdg-open', args: [url] }),
  alertCall(alert, environment) {
    for (const [name, argumentsOf] of Object.entries(alertPrograms)) {
      const file = findOnPath(name, environment)
      if (file !== undefined) return { file, args: argumentsOf(alert) }
    }
    return undefined
  },
}
