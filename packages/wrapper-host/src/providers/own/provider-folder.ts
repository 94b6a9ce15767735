import type { Stats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { accessProblem } from '../../files/access-problem.ts'
import { failureReason } from '../../log/failure-reason.ts'
import { ProviderModuleError } from './provider-errors.ts'

/** Name of the folder in the application root. */
export const providersFolder = 'providers'

const extension = '.mjs'
const maxListed = 20

/**
 * Finds the module of an assembly. The application root may be a link, which whoever installs the wrapper sets; within it there
 * are none, and this user and administrators alone may change what is loaded.
 *
 * @param assembly a name that is safe as a file name, see `readTypeName`
 * @returns its real path, or nothing when there is no file of exactly that name
 * @throws {ProviderModuleError} when what is there may not be loaded
 */
export async function findProviderModule(
  applicationRoot: string,
  assembly: string,
): Promise<string | undefined> {
  const root = await unlessMissing(realpath(applicationRoot))
  if (root === undefined) return undefined
  const folder = join(root, providersFolder)
  const foundFolder = await unlessMissing(lstat(folder))
  if (!foundFolder) return undefined
  check(foundFolder.isDirectory(), foundFolder, `The folder ${providersFolder}`)
  check(true, await lstat(root), 'The application root')
  // The listing spells names as they are, also where the file system finds a file by another spelling.
  const fileName = `${assembly}${extension}`
  if (!(await readdir(folder)).includes(fileName)) return undefined
  const subject = `${providersFolder}/${fileName}`
  const file = join(folder, fileName)
  const foundFile = await unlessMissing(lstat(file))
  if (!foundFile) return undefined
  check(foundFile.isFile(), foundFile, subject)
  return file
}

/** Assemblies whose modules lie in the folder, in order of their names; at most 20. */
export async function listProviderModules(applicationRoot: string): Promise<readonly string[]> {
  const names = await readdir(join(applicationRoot, providersFolder)).catch(() => [])
  return names
    .filter(name => name.endsWith(extension))
    .map(name => name.slice(0, -extension.length))
    .sort()
    .slice(0, maxListed)
}

function check(isOfKind: boolean, found: Stats, subject: string): void {
  if (!isOfKind)
    throw new ProviderModuleError(
      'not-a-file',
      subject,
      'is a link, or not what its name says. Put the folder and the file themselves there.',
    )
  const problem = accessProblem(found, false)
  if (problem)
    throw new ProviderModuleError(
      'access',
      subject,
      `${problem}. What it holds would run with this user’s rights, so only this user and administrators may change it.`,
    )
}

async function unlessMissing<Value>(finding: Promise<Value>): Promise<Value | undefined> {
  try {
    return await finding
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(failureReason(error))) return undefined
    throw new ProviderModuleError(
      'access',
      `The folder ${providersFolder}`,
      `cannot be read (${failureReason(error)}). Give this user the right to read it.`,
    )
  }
}
