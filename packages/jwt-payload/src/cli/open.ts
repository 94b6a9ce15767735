import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { basename } from 'node:path'
import { defineError } from '@service-link/protocol-core/errors'
import { pause } from '@service-link/protocol-core/time'
import { type Terminal, withProgress } from '@service-link/terminal'
import { PayloadExpiredError } from '../errors/refusals.ts'
import { payloadFormPolicy, renderPayloadForm } from '../post/render-payload-form.ts'
import { maxSpanSeconds, timeOf } from '../verify/check-claims.ts'
import { readToken } from '../verify/read-token.ts'
import { defaultToleranceSeconds } from '../verify/verify-payload.ts'
import { currentDesktop, type Desktop } from './desktop.ts'
import { writePrivatePage } from './private-page.ts'
import { tokenOf } from './sign-and-post.ts'
import type { OpenRequest } from './subcommands.ts'

/** The user's browser cannot be opened. */
export class BrowserError extends defineError('ERR_BROWSER') {}

/** Posts a payload from a private page in the user's browser. Removes the page once no receiver takes its token any more. */
export async function runOpen(request: OpenRequest, terminal: Terminal): Promise<undefined> {
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
  const leftSeconds = exp + defaultToleranceSeconds - now.getTime() / 1000
  if (leftSeconds <= 0) throw new PayloadExpiredError(defaultToleranceSeconds - leftSeconds)
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
