import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { accessProblem } from '../../files/access-problem.ts'
import { failureReason } from '../../log/failure-reason.ts'
import { PackError } from '../pack-error.ts'

/**
 * Checks that nobody else can have changed what lies in a folder.
 *
 * @param folder absolute path
 * @param isPrivate whether nobody else may enter it either, so that what is in it need not be looked at
 * @throws {PackError} `node`
 */
export async function checkFolder(folder: string, isPrivate: boolean): Promise<void> {
  const found = await lstat(folder).catch(error => {
    throw new PackError('node', `The folder ${folder} cannot be looked at (${failureReason(error)}).`)
  })
  const problem = found.isDirectory() ? accessProblem(found, isPrivate) : 'is none'
  if (problem)
    throw new PackError(
      'node',
      `The folder ${folder} ${problem}: a Node in it may be anybody's. Remove it, or name another with XDG_CACHE_HOME.`,
    )
}

/**
 * Checks that a file is the one that is known.
 *
 * @param file absolute path
 * @param expected SHA-256 in hex
 * @throws {PackError} `node`
 */
export async function checkDigest(file: string, expected: string, signal?: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw new PackError('node', `${file} cannot be read (${failureReason(error)}).`)
  }
  if (hash.digest('hex') !== expected)
    throw new PackError(
      'node',
      `${file} is not the Node that this package knows: somebody changed it, or the registry has another. Remove its folder, or name a file with --node.`,
    )
}
