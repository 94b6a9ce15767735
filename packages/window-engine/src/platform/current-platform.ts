import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, win32 as path, posix as posixPath } from 'node:path'
import { promisify } from 'node:util'
import { folderVariable, systemProgram } from '@service-link/protocol-core/brand'
import { findOnPath } from './find-on-path.ts'
import type { Alert, BrowserFamily, Environment, WindowPlatform } from './window-platform.ts'

/** Longest time that a message box is shown, in seconds. */
const alertSeconds = 600

type Programs = readonly (readonly [BrowserFamily, string])[]

/** Each program in each folder. Ignores relative folders: they depend on the working directory. */
function placesIn(
  folders: readonly (string | undefined)[],
  programs: Programs,
  { isAbsolute, join }: typeof path,
) {
  const known = [...new Set(folders)].filter(folder => folder !== undefined && isAbsolute(folder))
  return programs.flatMap(([family, program]) =>
    known.map(folder => ({ family, executable: join(folder ?? '', program) })),
  )
}

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

/** Kills a process group by the id of its leader. Does nothing when it is gone. */
function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

/** What Linux and macOS share. */
const posix = {
  browserFolder: () => undefined,
  browserEnvironment: withTemporaryFolder,
  versionSource: 'executable',
  killTree: killProcessGroup,
  endGroup: killProcessGroup,
  isPrivileged: () => process.getuid?.() === 0,
} as const

/** Linux and other systems with X11 or Wayland. */
export const linux: WindowPlatform = {
  ...posix,
  name: 'Linux',
  browserPlaces: ({ PATH = '' }) => placesIn([...usualFolders, ...PATH.split(delimiter)], names, posixPath),
  displayProblem: environment =>
    environment.DISPLAY || environment.WAYLAND_DISPLAY
      ? undefined
      : 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it on a desktop, or set BrowserEngine to Headless.',
  openerCall: url => ({ file: 'xdg-open', args: [url] }),
  alertCall(alert, environment) {
    for (const [name, argumentsOf] of Object.entries(alertPrograms)) {
      const file = findOnPath(name, environment)
      if (file !== undefined) return { file, args: argumentsOf(alert) }
    }
    return undefined
  },
}

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
  displayProblem: () => undefined,
  openerCall: url => ({ file: 'open', args: [url] }),
  alertCall: ({ title, text }) => ({
    file: '/usr/bin/osascript',
    args: [...macAlertScript.flatMap(line => ['-e', line]), title, text],
  }),
}

const programs: Programs = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
]

/** Names of the keys with the policies of a browser, by its executable. The first match counts. */
const policyKeys: readonly (readonly [RegExp, string])[] = [
  [/[\\/]msedge\.exe$/i, 'Microsoft\\Edge'],
  [/[\\/]Chromium[\\/].*[\\/]chrome\.exe$/i, 'Chromium'],
  [/[\\/]chrome\.exe$/i, 'Google\\Chrome'],
]

const policy = 'RemoteDebuggingAllowed'

/**
 * Looks for the policy that forbids programs to drive a browser on Windows. The machine's value has priority over the user's.
 *
 * @param query returns the lines of `reg query` for the policy in a key, without them if it has none
 */
export async function findDrivingProblem(
  executable: string,
  query: (key: string) => Promise<string>,
): Promise<string | undefined> {
  const [, name] = policyKeys.find(([end]) => end.test(executable)) ?? []
  if (name === undefined) return undefined
  const keys = ['HKLM', 'HKCU'].map(hive => `${hive}\\Software\\Policies\\${name}`)
  const printed = await Promise.all(keys.map(query))
  const values = printed.map(lines => /\bREG_DWORD\s+0x([\da-f]+)/i.exec(lines)?.[1])
  const first = values.findIndex(value => value !== undefined)
  if (Number.parseInt(values[first] ?? '1', 16) !== 0) return undefined
  return `The policy ${policy} keeps programs from driving this browser (${keys[first]}). Have the administrators allow it, or set SERVICE_BROWSER, which a packed wrapper ignores, to the path of another.`
}

/** Returns an empty text if the key lacks the policy or cannot be read. */
async function queryPolicy(key: string, environment: Environment): Promise<string> {
  const argv = ['query', key, '/v', policy]
  const options = { windowsHide: true, timeout: 3000 }
  const querying = promisify(execFile)(systemProgram('reg.exe', environment), argv, options)
  return querying.then(({ stdout }) => stdout).catch(() => '')
}

/** Shows an error box before all windows, or nothing where there is no desktop. */
const windowsAlertScript = `if ([Environment]::UserInteractive) { [void](New-Object -ComObject WScript.Shell).Popup($env:SERVICE_ALERT_TEXT, ${alertSeconds}, $env:SERVICE_ALERT_TITLE, 4112) }`

/** Windows. */
export const win32: WindowPlatform = {
  browserPlaces(environment) {
    const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': programFilesX86, ProgramW6432 } = environment
    const folders = [ProgramFiles, ProgramW6432, programFilesX86, LOCALAPPDATA]
    return placesIn(folders, programs, path)
  },
  drivingProblem: (executable, environment) =>
    findDrivingProblem(executable, key => queryPolicy(key, environment)),
  browserEnvironment: environment => environment,
  // A running browser would lock the folder of the launch, and load libraries from it.
  browserFolder: executable => path.dirname(executable),
  displayProblem: () => undefined,
  versionSource: 'folder',
  openerCall: url => ({ file: systemProgram('rundll32.exe'), args: ['url.dll,FileProtocolHandler', url] }),
  alertCall({ title, text }, environment) {
    // By `start`, because processes that the wrapper starts itself end with it. The text is in variables, so no shell parses it.
    const shell = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment)
    return {
      file: systemProgram('cmd.exe', environment),
      args: [
        `/d /s /c "start "" /b "${shell}" -NoLogo -NoProfile -NonInteractive -Command "${windowsAlertScript}""`,
      ],
      environment: { SERVICE_ALERT_TITLE: title, SERVICE_ALERT_TEXT: text },
    }
  },
  killTree(pid) {
    const argv = ['/PID', String(pid), '/T', '/F']
    spawnSync(systemProgram('taskkill.exe'), argv, { stdio: 'ignore', windowsHide: true })
  },
  endGroup: () => undefined,
  isPrivileged: () => false,
  name: 'Windows',
}

/** The implementation for a platform. Systems other than the three count as Linux. */
export function windowPlatform(platform: NodeJS.Platform = process.platform): WindowPlatform {
  if (platform === 'win32') return win32
  return platform === 'darwin' ? darwin : linux
}

/** Longest path of a Unix socket on macOS, in bytes, without `/org.chromium.Chromium.abcdef/SingletonSocket`. */
const maxFolderBytes = 103 - 46

const leastFreeBytes = 1024 * 1024

/**
 * Names a usable folder of temporary files for a browser: it does not start without a socket there. Keeps the user's, if it is one.
 *
 * @returns the variables as given when no folder is usable: the browser says why
 */
export function withTemporaryFolder(environment: Environment): Environment {
  const folders = [
    folderVariable(environment, 'TMPDIR', 'linux'),
    '/tmp',
    '/var/tmp',
    folderVariable(environment, 'XDG_RUNTIME_DIR', 'linux'),
  ]
  const usable = folders.find(folder => folder !== undefined && isUsable(folder))
  const isAsGiven = usable === undefined || usable === (environment.TMPDIR || '/tmp')
  return isAsGiven ? environment : { ...environment, TMPDIR: usable }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    const isRoomy = bavail * bsize >= leastFreeBytes
    return isRoomy && Buffer.byteLength(folder) <= maxFolderBytes && statSync(folder).isDirectory()
  } catch {
    return false
  }
}
