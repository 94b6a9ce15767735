import { readdir, readFile } from 'node:fs/promises'
import { basename, join, win32 as windowsPath } from 'node:path'
import { exportKeys } from './registry.ts'
import type { Environment } from './window-platform.ts'

/** Policies of administrators that keep programs from driving a browser, each with its value that does. */
const policies = {
  /** It shows its window and answers nobody. */
  RemoteDebuggingAllowed: 0,
  /** It answers, and lets nobody at a page. */
  DeveloperToolsAvailability: 2,
  /** It answers, and asks its user to sign in to the browser before it shows a page. Edge may do that by itself. */
  BrowserSignin: 2,
} as const

type PolicyName = keyof typeof policies

/** One place in which policies are set. */
interface PolicySource {
  /** A file, or a key of the registry. */
  readonly place: string
  /** @returns nothing when the place does not say */
  read(policy: string): unknown
}

/**
 * Says whether policies of the administrators keep programs from driving a browser.
 *
 * @param sources the one that counts first
 * @returns a sentence that names the policy and its place, and what to do; nothing when there is no such policy
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

/** As {@link describeDrivingProblem}, of what the registry of Windows has for a browser. */
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

/** A number among the lines of a key; nothing when the key does not say. */
export function readNumber(lines: readonly string[], name: string): number | undefined {
  const written = lines.find(line => line.startsWith(`"${name}"=dword:`))
  return written === undefined ? undefined : Number.parseInt(written.slice(name.length + 9), 16)
}

/** Of browsers by their file names; the first that fits. */
const folders: readonly (readonly [RegExp, readonly string[]])[] = [
  [/edge/, ['/etc/opt/edge/policies/managed']],
  [/chrome/, ['/etc/opt/chrome/policies/managed']],
  [/^/, ['/etc/chromium/policies/managed', '/etc/chromium-browser/policies/managed']],
]

/** As {@link describeDrivingProblem}, of the files that Linux has for a browser. Those that cannot be read count as none. */
export async function readFilePolicies(executable: string): Promise<string | undefined> {
  const [, places = []] = folders.find(([name]) => name.test(basename(executable))) ?? []
  const found = await Promise.all(places.map(readFolder))
  return describeDrivingProblem(executable, found.flat())
}

/** The last file by name counts before the others. */
async function readFolder(folder: string): Promise<readonly PolicySource[]> {
  const names = (await readdir(folder).catch(() => [])).sort().reverse()
  const sources = names.map(async name => {
    const place = join(folder, name)
    return policiesIn(place, await readFile(place, 'utf8').catch(() => ''))
  })
  return Promise.all(sources)
}

/** What a file says; a browser allows it comments on lines of their own and commas too many. */
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
