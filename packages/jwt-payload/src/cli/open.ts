import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { folderVariable, systemProgram } from '@service-link/protocol-core/brand'
import { defineError } from '@service-link/protocol-core/errors'
import { pause } from '@service-link/protocol-core/time'
import { FileError, fileProblem, type Terminal, withProgress } from '@service-link/terminal'
import { PayloadExpiredError } from '../errors/refusals.ts'
import { payloadFormPolicy, renderPayloadForm } from '../post/render-payload-form.ts'
import { maxSpanSeconds, timeOf, toleranceSeconds } from '../verify/check-claims.ts'
import { readToken } from '../verify/read-token.ts'
import { type PayloadOptions, tokenOf } from './sign-and-post.ts'

/**
 * The user's browser cannot be opened.
 *
 * @remedy Set a default browser on this desktop, or open the link by `service-payload post`.
 * @retry after the repair
 * @seenBy partner's developer, administrator
 */
export class BrowserError extends defineError('ERR_BROWSER') {}

/** Posts a payload from a private page in the user's browser. Removes the page once no receiver takes its token any more. */
export async function runOpen(request: PayloadOptions, terminal: Terminal): Promise<undefined> {
  const token = await tokenOf(request, terminal)
  const html = pageOf(request.url, token)
  const keepMs = usefulMs(token, terminal.clock())
  const signal = terminal.interruption()
  const opening = openPage(html, { keepMs, signal, desktop: currentDesktop() })
  terminal.tell(`The browser opens ${new URL(request.url).host}. Ctrl+C removes the page now.\n`)
  await withProgress(terminal, 'Removing the page when its token has ended', () => opening)
}

/** A page that posts the token at once, and can do nothing else. */
function pageOf(action: string, payload: string): string {
  const nonce = randomBytes(16).toString('base64')
  const form = renderPayloadForm({ action, payload, nonce, target: '_self' })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${payloadFormPolicy({ action, nonce })}">
<title>One moment</title>
<body>
${form}</body>
</html>
`
}

/** How long a receiver may still take the token, in milliseconds; for one without an end the longest life of others. */
export function usefulMs(token: string, now: Date): number {
  const exp = timeOf(readToken(token).claims().exp, 'lenient')
  if (typeof exp !== 'number') return maxSpanSeconds * 1000
  const leftSeconds = exp + toleranceSeconds - now.getTime() / 1000
  if (leftSeconds <= 0) throw new PayloadExpiredError(toleranceSeconds - leftSeconds)
  return Math.min(leftSeconds, maxSpanSeconds) * 1000
}

interface OpenPageOptions {
  readonly keepMs: number
  /** Removes the page, and is the reason of the rejection. */
  readonly signal: AbortSignal
  readonly desktop: Desktop
}

/**
 * Opens a page from a private file, whose path is all that the opener's arguments tell. Resolves after `keepMs`, when the file is
 * gone. Some openers last as long as the browser that they start; such a one goes on.
 *
 * @throws {FileError} if the file cannot be written or removed
 * @throws {BrowserError} if there is no opener, or if it fails within `keepMs`
 */
export async function openPage(html: string, { keepMs, signal, desktop }: OpenPageOptions): Promise<void> {
  signal.throwIfAborted()
  const page = await writePrivatePage(desktop.folder(), html)
  const stop = new AbortController()
  try {
    const kept = pause(keepMs, AbortSignal.any([signal, stop.signal]))
    await Promise.race([kept, failureOf(desktop, page.address)])
  } finally {
    stop.abort()
    await page.remove()
  }
}

/** Starts the opener. Rejects if it fails, and otherwise stays pending. */
async function failureOf({ openerCall, advice }: Desktop, address: string): Promise<never> {
  const { file, args } = openerCall(address, process.env.BROWSER)
  const name = basename(file)
  // A group of its own, which Ctrl+C does not end: the opener may become the browser.
  const opener = spawn(file, args, { stdio: 'ignore', detached: true, windowsHide: true })
  opener.unref()
  const [code, signal] = await once(opener, 'exit').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new BrowserError(
      isMissing
        ? `${name} was not found. ${advice}.`
        : `${name} cannot be started: this user may not run it.`,
    )
  })
  if (code !== 0)
    throw new BrowserError(
      `${name} ended with ${code === null ? signal : `exit code ${code}`}. It opened no browser.`,
    )
  return new Promise(() => {})
}

const prefix = 'service-payload-page-'
const fileName = 'open.html'

/** No process keeps its page as long, in milliseconds. */
const abandonedMs = 60 * 60 * 1000

interface PrivatePage {
  /** `file:` address. */
  readonly address: string
  /** @throws {FileError} if it stays; the message names it */
  readonly remove: () => Promise<void>
}

/**
 * Writes a page into a fresh folder, both for this user alone: 0700 and 0600, on Windows by the rights of `parent`. Removes the
 * pages of killed processes.
 *
 * @param parent a folder of the user
 * @throws {FileError} if the page cannot be written, or if the file system keeps no other user from it
 */
async function writePrivatePage(parent: string, html: string): Promise<PrivatePage> {
  await removeAbandonedPages(parent)
  const folder = await mkdtemp(join(parent, prefix)).catch((error: unknown) => {
    throw new FileError(`No folder can be made in ${parent} for the page: ${fileProblem(error)}.`)
  })
  const path = join(folder, fileName)
  const remove = async () => {
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch (error) {
      throw new FileError(`The page ${path} holds a token and cannot be removed: ${fileProblem(error)}.`)
    }
  }
  try {
    await writeFile(path, html, { mode: 0o600, flag: 'wx' })
    if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0)
      throw new FileError(`The file system of ${parent} keeps no other user from a file.`)
  } catch (error) {
    await remove()
    if (error instanceof FileError) throw error
    throw new FileError(`The page ${path} cannot be written: ${fileProblem(error)}.`)
  }
  return { address: pathToFileURL(path).href, remove }
}

/** Removes the page and the folder alone: another program may have a folder with such a name. */
async function removeAbandonedPages(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter(each => each.startsWith(prefix))) {
    const folder = join(parent, name)
    try {
      if (Date.now() - (await stat(folder)).mtimeMs < abandonedMs) continue
      await rm(join(folder, fileName), { force: true })
      await rmdir(folder)
    } catch {
      // Another process was faster, or it is not this user's.
    }
  }
}

interface ProgramCall {
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

/**
 * By its whole path, because Windows looks in the working directory first. By a program on each Node: this command runs once, beside
 * its user, and Node 22 has no `node:ffi`. All users may share the folder of temporary files.
 */
export const windows: Desktop = {
  folder: () => folderVariable(process.env, 'LOCALAPPDATA', 'win32') ?? homedir(),
  openerCall: address => ({
    file: systemProgram('rundll32.exe'),
    args: ['url.dll,FileProtocolHandler', address],
  }),
  advice: 'Look why rundll32.exe is missing',
}

function currentDesktop(): Desktop {
  if (process.platform === 'win32') return windows
  return process.platform === 'darwin' ? darwin : linux
}
