import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Policy, PolicyValue } from './policies.ts'
import type { BrowserFamily } from './window-platform.ts'

/** Folders in which browsers on Linux look for policies. Each has `managed` and `recommended`. */
const folders: Readonly<Record<BrowserFamily, readonly string[]>> = {
  chrome: ['/etc/opt/chrome/policies'],
  edge: ['/etc/opt/edge/policies'],
  chromium: ['/etc/chromium/policies', '/etc/chromium-browser/policies'],
}

/** A policy of Windows and macOS alone. Browsers on Linux accept it and do not obey. */
const unheeded = 'UserDataDir'

/** Reads the policies of a family on Linux; the first of a name is in force. Files that cannot be read are left out. */
export async function readPolicyFiles(family: BrowserFamily): Promise<readonly Policy[]> {
  const places = folders[family].flatMap(folder => [join(folder, 'managed'), join(folder, 'recommended')])
  const found = (await Promise.all(places.map(readFolder))).flat()
  return found.filter(({ name }) => name !== unheeded)
}

/** Of several files, a browser obeys the last one by its name. */
async function readFolder(folder: string): Promise<readonly Policy[]> {
  const files = (await readdir(folder).catch(() => [])).toSorted().toReversed()
  return (await Promise.all(files.map(file => readPolicies(join(folder, file))))).flat()
}

/** Names of the property lists that a device management of macOS writes. */
const domains: Readonly<Record<BrowserFamily, string>> = {
  chrome: 'com.google.Chrome',
  edge: 'com.microsoft.Edge',
  chromium: 'org.chromium.Chromium',
}

/** Longest wait for the program that reads a property list, in milliseconds. */
const readMs = 2000

/** Reads the managed policies of a family on macOS, the user's before the machine's. Files that cannot be read are left out. */
export async function readPropertyLists(family: BrowserFamily): Promise<readonly Policy[]> {
  const places = [userInfo().username, ''].map(owner =>
    join('/Library/Managed Preferences', owner, `${domains[family]}.plist`),
  )
  const convert = async (place: string) => {
    const argv = ['-convert', 'json', '-o', '-', '--', place]
    return (await promisify(execFile)('/usr/bin/plutil', argv, { timeout: readMs })).stdout
  }
  return (await Promise.all(places.map(place => readPolicies(place, convert)))).flat()
}

async function readPolicies(
  place: string,
  read: (place: string) => Promise<string> = file => readFile(file, 'utf8'),
): Promise<readonly Policy[]> {
  try {
    const content: unknown = JSON.parse(withoutComments(await read(place)))
    if (typeof content !== 'object' || content === null) return []
    return Object.entries(content).flatMap(([name, value]) =>
      isPolicyValue(value) ? [{ name, value, place }] : [],
    )
  } catch {
    return []
  }
}

/** Browsers read comments and a comma behind the last entry, which JSON does not have. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*.*?\*\//gs, '$1')
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1')
}

function isPolicyValue(value: unknown): value is PolicyValue {
  if (Array.isArray(value)) return value.every(entry => typeof entry === 'string')
  return ['boolean', 'number', 'string'].includes(typeof value)
}
