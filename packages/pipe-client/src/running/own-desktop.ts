import { loginDisplay, systemProgram } from '@service-link/protocol-core/brand'
import { defineError } from '@service-link/protocol-core/errors'
import { openSystemLibrary } from '@service-link/protocol-core/windows'

/**
 * Windows does not tell which desktop this process has. Nothing is started or chosen: a person could appear on another screen.
 *
 * @remedy Run the program with Node 26, let it start `tasklist.exe`, or give the `pid` of the wrapper.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class DesktopUnknownError extends defineError(
  'ERR_DESKTOP_UNKNOWN',
  'Windows did not tell on which desktop of this user the program runs, so nothing was done: it could have been done on another screen. Run it with Node 26, or let it start tasklist.exe. A client can also give the process id of the wrapper.',
) {}

/**
 * Tells the desktops of a user apart: the display on Linux, Windows' own number of it, nothing on macOS.
 *
 * Variables of Windows do not tell: desktops can share one `TEMP`, and a reconnected one gets a new `SESSIONNAME`.
 *
 * @returns an empty text for a process without a desktop, as over SSH or in a service
 * @throws {DesktopUnknownError} on Windows, when neither `node:ffi` nor `tasklist.exe` can be used
 */
export function ownDesktop(
  environment: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  if (platform !== 'win32') return platform === 'darwin' ? '' : loginDisplay(environment)
  session ??= ownSession()
  if (session === undefined) throw new DesktopUnknownError()
  return session === 0 ? '' : String(session)
}

/** The session of a process never changes. */
let session: number | undefined

const functions = {
  ProcessIdToSessionId: { return: 'int32', arguments: ['uint32', 'buffer'] },
} as const

function ownSession(): number | undefined {
  const kernel32 = openSystemLibrary('kernel32', functions)
  if (!kernel32) return readSession(listOwnProcess(), process.pid)
  const number = Buffer.alloc(4)
  return kernel32.ProcessIdToSessionId(process.pid, number) ? number.readUInt32LE() : undefined
}

/** Longest wait for `tasklist.exe`, in milliseconds. It usually takes a few hundred, once a process. */
const listTimeoutMs = 5_000

/** Asks another program, where Node has no `node:ffi`. Returns an empty text if it cannot be run. */
function listOwnProcess(): string {
  const argv = ['/FI', `PID eq ${process.pid}`, '/FO', 'CSV', '/NH']
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync(systemProgram('tasklist.exe'), argv, {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: listTimeoutMs,
      windowsHide: true,
    })
  } catch {
    return ''
  }
}

/** Reads the session of a process from lines of `tasklist.exe`: `"node.exe","4711","Console","1","50,000 K"`. */
export function readSession(lines: string, pid: number): number | undefined {
  const found = new RegExp(`^"[^"]*","${pid}","[^"]*","(\\d+)"`, 'm').exec(lines)?.[1]
  return found === undefined ? undefined : Number(found)
}
