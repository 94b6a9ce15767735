import { readdir, readFile } from 'node:fs/promises'
import { basename, join, win32 as windowsPath } from 'node:path'
import { exportKeys } from './registry.ts'
import type { Environment } from './window-platform.ts'

/** Policies of administrators that can forbid programs to drive a browser, each with the forbidding value. */
const policies = {
  /** The browser shows its window and answers no program. */
  RemoteDebuggingAllowed: 0,
  /** The browser answers, and gives no page. */
  DeveloperToolsAvailability: 2,
  /** The browser asks its user to sign in before it shows a page. Edge may sign in by itself. */
  BrowserSignin: 2,
} as const

type PolicyName = keyof typeof policies

/** A place that holds policies. */
interface PolicySource {
  /** A file, or a key of the registry. */
  readonly place: string
  /** @returns the policy's value; `undefined` if the place does not have it */
  read(policy: string): unknown
}

/**
 * Looks for a policy that forbids programs to drive a browser.
 *
 * @param sources the first has priority
 * @returns a sentence with the policy, its place and the remedy; `undefined` if there is none
 */
export function describeDrivingProblem(
  executable: string,
  sources: readonly PolicySource[],
): string | undefined {
  const isEdge = /edge/i.test(windowsPath.basename(executable))
  for (const name of Object.keys(policies) as PolicyName[]) {
    const source = sources.find(({ read }) => read(name) !== undefined)
    const value = source?.read(name)
    const isSet =
      (typeof value === 'number' || typeof value === 'boolean') && Number(value) === policies[name]
    if (source && isSet && !(isEdge && name === 'BrowserSignin'))
      return `The policy ${name} keeps programs from driving this browser (${source.place}). Have the administrators allow it, or set SERVICE_BROWSER to the path of another.`
  }
  return undefined
}

const keys: Readonly<Record<string, string>> = {
  'msedge.exe': 'Software\\Policies\\Microsoft\\Edge',
  'chrome.exe': 'Software\\Policies\\Google\\Chrome',
}

/** As {@link describeDrivingProblem}, for the policies in the registry of Windows. */
export async function readRegistryPolicies(
  executable: string,
  environment: Environment,
): Promise<string | undefined> {
  const key = keys[windowsPath.basename(executable).toLowerCase()]
  if (key === undefined) return undefined
  const sources = (await exportKeys(key, environment)).map(({ name, lines }) => ({
    place: name,
    read: (policy: string) => readNumber(lines, policy),
  }))
  return describeDrivingProblem(executable, sources)
}

/** A number among the lines of a key; `undefined` if the key does not have it. */
export function readNumber(lines: readonly string[], name: string): number | undefined {
  const written = lines.find(line => line.startsWith(`"${name}"=dword:`))
  return written === undefined ? undefined : Number.parseInt(written.slice(name.length + 9), 16)
}

/** Policy folders of browsers, by the executable's name. The first match counts. */
const folders: readonly (readonly [RegExp, readonly string[]])[] = [
  [/edge/, ['/etc/opt/edge/policies/managed']],
  [/chrome/, ['/etc/opt/chrome/policies/managed']],
  [/^/, ['/etc/chromium/policies/managed', '/etc/chromium-browser/policies/managed']],
]

/** As {@link describeDrivingProblem}, for the policy files of Linux. Ignores unreadable files. */
export async function readFilePolicies(executable: string): Promise<string | undefined> {
  const [, places = []] = folders.find(([name]) => name.test(basename(executable))) ?? []
  const found = await Promise.all(places.map(readFolder))
  return describeDrivingProblem(executable, found.flat())
}

/** The policies of a folder. The last file by name has priority. */
async function readFolder(folder: string): Promise<readonly PolicySource[]> {
  const names = (await readdir(folder).catch(() => [])).sort().reverse()
  const sources = names.map(async name => {
    const place = join(folder, name)
    return policiesIn(place, await readFile(place, 'utf8').catch(() => ''))
  })
  return Promise.all(sources)
}

/** The policies of a file. As in the browser, it may have line comments and trailing commas. */
export function policiesIn(place: string, text: string): PolicySource {
  const plain = text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(?=\s*[}\]])/g, '')
  let values: unknown
  try {
    values = JSON.parse(plain)
  } catch {
    values = undefined
  }
  const known = typeof values === 'object' && values !== null ? new Map(Object.entries(values)) : new Map()
  return { place, read: policy => known.get(policy) }
}
