import { win32 as path } from 'node:path'
import { exportKeys } from './export-keys.ts'
import type { Environment } from './window-platform.ts'

const policy = 'RemoteDebuggingAllowed'

const keys: Readonly<Record<string, string>> = {
  'msedge.exe': 'Software\\Policies\\Microsoft\\Edge',
  'chrome.exe': 'Software\\Policies\\Google\\Chrome',
}

/**
 * Says whether a policy of the administrators keeps programs from driving a browser: one that has it shows its window, and
 * answers nobody.
 *
 * @param executable absolute path of the browser
 * @returns a sentence that says what to do; nothing when there is no such policy, or the registry cannot be read
 */
export async function readDrivingProblem(
  executable: string,
  environment: Environment,
): Promise<string | undefined> {
  const key = keys[path.basename(executable).toLowerCase()]
  if (key === undefined) return undefined
  const [decided] = (await exportKeys(key, environment))
    .map(forbidsDriving)
    .filter(forbids => forbids !== undefined)
  return decided
    ? `The policy ${policy} keeps programs from driving this browser. Have the administrators allow it, or set SERVICE_BROWSER to the path of another.`
    : undefined
}

/** @returns nothing when the key, whose lines these are, does not say */
export function forbidsDriving(lines: readonly string[]): boolean | undefined {
  const value = lines.find(line => line.startsWith(`"${policy}"=`))?.slice(policy.length + 3)
  return value === undefined ? undefined : value === 'dword:00000000'
}
