import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { windowPlatform } from '@service-link/window-engine'
import { html } from 'hono/html'
import type { PageKeys } from '../own-pages/page-keys.ts'

// Browsers from a snap cannot read the folder of temporary files. On Windows that one alone is the user's.
const parentFolder = process.platform === 'win32' ? tmpdir() : join(import.meta.dirname, '..', '..', '.data')

/**
 * Keeps a file that only this user can read. It leads to a page with a key of one use, and gets the next key when that one
 * was used. So neither an argument of a process nor a printed line holds a key.
 */
export async function keepStartFile(page: string, keys: PageKeys) {
  await mkdir(parentFolder, { recursive: true })
  const folder = await mkdtemp(join(parentFolder, 'start-'))
  const file = join(folder, 'start.html')
  let isEnding = false
  let last: Promise<unknown> = Promise.resolve()
  const write = async () => {
    const onUse = () => {
      // Without the next file the present one says that its key was used.
      if (!isEnding) last = last.then(write).catch(() => undefined)
    }
    // Whole at once: a browser may read it at any time.
    await writeFile(`${file}.next`, String(leadTo(keys.addressOf(page, { onUse }))), { mode: 0o600 })
    await rename(`${file}.next`, file)
  }
  await write()
  return {
    /** `file:` address, which opens any number of times. */
    url: pathToFileURL(file).href,
    async [Symbol.asyncDispose]() {
      isEnding = true
      await last
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const leadTo = (url: string) =>
  html`<!doctype html><meta charset="utf-8" /><meta name="referrer" content="no-referrer" /><title>The demo</title><meta http-equiv="refresh" content="0;url=${url}" /><a href="${url}">The demo</a>`

/** Opens an address as a click does. Other users read arguments of processes, so it must hold no secret. */
export function openInBrowser(url: string, environment: NodeJS.ProcessEnv = process.env): void {
  const { file, args } = windowPlatform().openerCall(url)
  // The address is printed as well, so nothing is lost where this fails.
  spawn(file, args, { stdio: 'ignore', detached: true, env: environment })
    .on('error', () => undefined)
    .unref()
}
