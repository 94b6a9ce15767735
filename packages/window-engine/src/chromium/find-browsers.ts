import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { familyOf } from '../platform/browser-places.ts'
import { findOnPath } from '../platform/find-on-path.ts'
import { findPolicyProblems, type PolicyCircumstances, type PolicyProblem } from '../platform/policies.ts'
import type { BrowserFamily, BrowserPlace, Environment, WindowPlatform } from '../platform/window-platform.ts'
import { isWithoutWindows } from './browser-process.ts'

export interface FindBrowsersOptions {
  readonly platform: WindowPlatform
  readonly environment: Environment
  /** Path, or name on `PATH`, given by the program. */
  readonly executable?: string | undefined
  /** Absolute path or family, given by the setting. */
  readonly browser?: string | undefined
  /** Absolute path of a browser that belongs to the wrapper. */
  readonly ownBrowser?: string | undefined
  readonly preferredFamily?: BrowserFamily | undefined
}

/** A browser that can be started, with the policies that keep it from drawing the window as far as they can be read. */
export interface FoundBrowser extends BrowserPlace {
  readonly problems: readonly PolicyProblem[]
}

/** Variable that names the browser's executable. It has priority over all others. */
export const browserVariable = 'SERVICE_BROWSER'

/**
 * Finds the browsers that may be used, the preferred one first. One that is named stands alone. Those that a policy forbids come last:
 * only their behavior tells whether it is in force.
 *
 * @returns at least one, or a sentence with the reason and the remedy
 */
export async function findBrowsers(
  options: FindBrowsersOptions,
  circumstances: PolicyCircumstances,
): Promise<readonly FoundBrowser[] | string> {
  const places = await findPlaces(options)
  if (typeof places === 'string') return places
  const found = await Promise.all(
    places.map(async place => {
      // A headless shell obeys no policy.
      const isFree = isWithoutWindows(place.executable)
      const policies = isFree ? [] : await options.platform.readPolicies(place.family)
      return { ...place, problems: findPolicyProblems(policies, circumstances) }
    }),
  )
  return found.toSorted((one, other) => Number(one.problems.length > 0) - Number(other.problems.length > 0))
}

async function findPlaces(options: FindBrowsersOptions): Promise<readonly BrowserPlace[] | string> {
  const { platform, environment, executable, browser = '', ownBrowser, preferredFamily } = options
  if (executable !== undefined) {
    const path = basename(executable) === executable ? findOnPath(executable, environment) : executable
    return named(path, 'The option executable must be the whole path of a browser that can be started.')
  }
  const ofVariable = environment.SERVICE_BROWSER
  if (ofVariable)
    return named(
      ofVariable,
      `The variable ${browserVariable} names no program that can be started. Correct or remove it.`,
    )
  if (isAbsolute(browser))
    return named(browser, 'The setting Browser names no program that can be started. Correct or remove it.')
  const own = ownBrowser === undefined ? [] : [{ family: 'chromium' as const, executable: ownBrowser }]
  const isOther = ({ family }: BrowserPlace) => Number(family !== preferredFamily)
  const installed = platform
    .browserPlaces(environment)
    .toSorted((one, other) => isOther(one) - isOther(other))
  const places = [...own, ...installed].filter(({ family }) => browser === '' || family === browser)
  const usable = await onlyExecutable(places)
  if (usable.length > 0) return usable
  if (browser !== '')
    return `No browser of the family ${browser} was found, which the setting Browser names. Install one, or correct or remove the setting.`
  return `No browser was found. Install Google Chrome, Microsoft Edge or Chromium, or set ${browserVariable}, which a packed wrapper ignores, to the path of one.`
}

async function named(
  executable: string | undefined,
  reason: string,
): Promise<readonly BrowserPlace[] | string> {
  if (executable === undefined || !(await isExecutable(executable))) return reason
  return [{ family: familyOf(await realpath(executable)), executable }]
}

/** One place of each program: several names may lead to the same. */
async function onlyExecutable(places: readonly BrowserPlace[]): Promise<readonly BrowserPlace[]> {
  const programs = new Map<string, BrowserPlace>()
  for (const place of places) {
    if (!(await isExecutable(place.executable))) continue
    const program = await realpath(place.executable)
    if (!programs.has(program)) programs.set(program, place)
  }
  return [...programs.values()]
}

async function isExecutable(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
