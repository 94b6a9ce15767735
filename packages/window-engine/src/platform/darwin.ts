import { homedir, release } from 'node:os'
import { join } from 'node:path'
import { alertSeconds, type BrowserFamily, killProcessGroup, type WindowPlatform } from './window-platform.ts'

const applications: readonly (readonly [BrowserFamily, string])[] = [
  ['chrome', 'Google Chrome'],
  ['edge', 'Microsoft Edge'],
  ['chromium', 'Chromium'],
]

/** Takes title and text as arguments. */
const alertScript = [
  'on run {heading, body}',
  `display alert heading message body as critical giving up after ${alertSeconds}`,
  'end run',
]

/** macOS. */
export const darwin: WindowPlatform = {
  browserPlaces: environment =>
    applications.flatMap(([family, name]) =>
      ['/Applications', join(environment.HOME ?? homedir(), 'Applications')].map(folder => ({
        family,
        executable: join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      })),
    ),
  displayProblem: () => undefined,
  registeredBrowsers: async () => [],
  drivingProblem: async () => undefined,
  browserFolder: () => undefined,
  versionSource: 'executable',
  openerCall: url => ({ file: 'open', args: [url] }),
  alertCall: ({ title, text }) => ({
    file: '/usr/bin/osascript',
    args: [...alertScript.flatMap(line => ['-e', line]), title, text],
  }),
  killTree: killProcessGroup,
  endGroup: killProcessGroup,
  isPrivileged: () => process.getuid?.() === 0,
  hints: () => ({ platform: 'macOS', platformVersion: macVersion(release()) }),
}

/** Darwin 20 is macOS 11, 24 is 15; from 25 on, macOS counts one further (26). */
function macVersion(darwinRelease: string): string {
  const [major = 0, minor = 0] = darwinRelease.split('.').map(Number)
  return `${major >= 25 ? major + 1 : major - 9}.${minor}.0`
}
