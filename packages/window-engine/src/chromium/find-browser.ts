import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { BrowserFamily, BrowserPlace, Environment, WindowPlatform } from '../platform/window-platform.ts'

/** What {@link findBrowser} looks for. */
export interface FindBrowserOptions {
  readonly platform: WindowPlatform
  readonly environment: Environment
  /** Family to be taken before all others when it is installed. */
  readonly preferredFamily?: BrowserFamily
}

/** Name of the variable that names the browser's executable, before all that is installed in the usual places. */
export const browserVariable = 'SERVICE_BROWSER'

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
