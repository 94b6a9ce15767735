import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { accessProblem } from '../providers/access-problem.ts'

/** What of the application's configuration others than root and this user may change. */
export interface ConfigExposure {
  /** The file or its folder. */
  readonly path: string
  readonly place: 'file' | 'folder'
  /** A clause such as `may be changed by other users (chmod go-w)`. */
  readonly problem: string
}

/**
 * Looks who may change a configuration file, which is as good as a program: it says which address is opened, where signed
 * payloads are posted and which providers run. Looks at the file and its folder, not at the folders above; Windows keeps this in
 * access lists that Node does not read, and nothing is found there.
 *
 * @returns nothing when only root and this user may; what is not there has no problem
 */
export async function findConfigExposure(file: string): Promise<ConfigExposure | undefined> {
  for (const [place, path] of [
    ['folder', dirname(file)],
    ['file', file],
  ] as const) {
    const found = await stat(path).catch(() => undefined)
    const problem = found && accessProblem(found, false)
    if (problem) return { place, path, problem }
  }
  return undefined
}
