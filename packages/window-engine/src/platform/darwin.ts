import { homedir } from 'node:os'
import { join, posix as posixPath } from 'node:path'
import { type Programs, placesIn } from './browser-places.ts'
import { readPropertyLists } from './policy-files.ts'
import { posix } from './posix.ts'
import { alertSeconds, type WindowPlatform } from './window-platform.ts'

const applications: Programs = [
  ['chrome', 'Google Chrome.app/Contents/MacOS/Google Chrome'],
  ['edge', 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ['chromium', 'Chromium.app/Contents/MacOS/Chromium'],
]

/** AppleScript that takes title and text as arguments. */
const macAlertScript = [
  'on run {heading, body}',
  `display alert heading message body as critical giving up after ${alertSeconds}`,
  'end run',
]

/** macOS. */
export const darwin: WindowPlatform = {
  ...posix,
  name: 'macOS',
  browserPlaces: ({ HOME = homedir() }) =>
    placesIn(['/Applications', join(HOME, 'Applications')], applications, posixPath),
  readPolicies: readPropertyLists,
  displayProblem: () => undefined,
  openerCall: url => ({ file: 'open', args: [url] }),
  alertCall: ({ title, text }) => ({
    file: '/usr/bin/osascript',
    args: [...macAlertScript.flatMap(line => ['-e', line]), title, text],
  }),
}
