import { homedir, tmpdir } from 'node:os'
import { win32 } from 'node:path'

/** A program and its arguments. */
export interface ProgramCall {
  readonly file: string
  readonly args: readonly string[]
}

/** Where a page for the user's browser lies, and what opens it there. */
export interface Desktop {
  /** A folder of the user that browsers may read. */
  readonly folder: () => string
  /** @param browser the variable BROWSER */
  readonly openerCall: (address: string, browser?: string) => ProgramCall
  /** What to do if there is no opener. */
  readonly advice: string
}

/**
 * Linux and other systems with freedesktop.org's tools. The home folder itself: browsers packed as snaps see a temporary folder of
 * their own, and no hidden folder of the user. `xdg-open` takes the program for HTML files, which may be an editor: `BROWSER` goes first.
 */
export const linux: Desktop = {
  folder: homedir,
  openerCall: (address, browser = '') => ({
    file: /^[^:%\s]+/.exec(browser)?.[0] ?? 'xdg-open',
    args: [address],
  }),
  advice: 'Install xdg-utils, or set BROWSER to your browser',
}

export const darwin: Desktop = {
  folder: tmpdir,
  openerCall: address => ({ file: '/usr/bin/open', args: [address] }),
  advice: 'Look why /usr/bin/open is missing',
}

/** By its whole path, because Windows looks in the working directory first. */
export const windows: Desktop = {
  folder: tmpdir,
  openerCall: address => ({
    file: win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe'),
    args: ['url.dll,FileProtocolHandler', address],
  }),
  advice: 'Look why rundll32.exe is missing',
}

export function currentDesktop(): Desktop {
  if (process.platform === 'win32') return windows
  return process.platform === 'darwin' ? darwin : linux
}
