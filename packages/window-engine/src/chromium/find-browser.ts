import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserFamily, BrowserPlace, Environment, WindowPlatform } from '../platform/window-platform.ts'

interface FindBrowserOptions {
  readonly platform: WindowPlatform
  readonly environment: Environment
  /** Family to be taken before all others when it is installed. */
  readonly preferredFamily?: BrowserFamily
}

/** Name of the variable that names the browser's executable, before all that is installed in the usual places. */
const browserVariable = 'SERVICE_BROWSER'

/**
 * Finds an installed browser.
 *
 * @returns the executable's path, or why there is none, as a sentence that says what to do
 */
export async function findBrowser(
  options: FindBrowserOptions,
): Promise<{ readonly executable: string } | { readonly reason: string }> {
  const { platform, environment, preferredFamily } = options
  const named = environment[browserVariable]
  if (named) {
    if (await isExecutable(named)) return { executable: named }
    return {
      reason: `The variable ${browserVariable} names no program that can be started. Correct or remove it.`,
    }
  }
  const found =
    (await firstOf(platform.browserPlaces(environment), preferredFamily)) ??
    (await firstOf(await platform.registeredBrowsers(environment), preferredFamily))
  if (found !== undefined) return { executable: found }
  return {
    reason: `No browser was found. Install Google Chrome, Microsoft Edge or Chromium, or set ${browserVariable} to the path of one.`,
  }
}

/** The first that is there, those of the preferred family before all others. */
async function firstOf(
  places: readonly BrowserPlace[],
  preferredFamily: BrowserFamily | undefined,
): Promise<string | undefined> {
  const ordered = [
    ...places.filter(({ family }) => family === preferredFamily),
    ...places.filter(({ family }) => family !== preferredFamily),
  ]
  for (const { executable } of ordered) if (await isExecutable(executable)) return executable
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

const askMs = 10_000

/**
 * Name and version of a browser, for people.
 *
 * @returns such as `Chromium 156.0.8078.79`, or the file's name when it does not say
 */
export async function describeBrowser(
  executable: string,
  platform: WindowPlatform,
  signal?: AbortSignal,
): Promise<string> {
  const name = basename(executable).replace(/\.exe$/i, '')
  try {
    if (platform.versionSource === 'folder') {
      const version = (await readdir(dirname(executable)))
        .filter(entry => /^\d+(\.\d+){3}$/.test(entry))
        .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .at(-1)
      return version ? `${name} ${version}` : name
    }
    const options = { timeout: askMs, maxBuffer: 64 * 1024, ...(signal ? { signal } : {}) }
    const { stdout } = await promisify(execFile)(executable, ['--version'], options)
    return /^[\w .()-]*?\d+(?:\.\d+){1,3}/.exec(stdout.trim())?.[0] ?? name
  } catch {
    signal?.throwIfAborted()
    return name
  }
}
