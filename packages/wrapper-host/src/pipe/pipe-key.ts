import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Brand, pipeKeyBytes, pipeKeyFileName } from '@service-link/protocol-core'
import { isThisUsersAlone } from '../instance/private-folder.ts'
import { replaceFile } from '../settings/replace-file.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'

/** Neither through a link, nor waiting for whoever writes to a pipe. Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Says where the key is: where clients look for it, whatever folders the wrapper has. A wrapper in folders of its own, as for a test,
 * uses the one that is there, so that clients believe it, and makes none, so that they believe others as before.
 */
export function locatePipeKey(brand: Brand): string {
  return join(locateFolders(brand).userFolder, pipeKeyFileName)
}

/**
 * Reads the key by which a wrapper proves to clients of its pipe that it is this user's. The file is what counts, for wrappers of
 * all login sessions alike: so it is read for each proof, and no wrapper keeps a key that another has replaced.
 *
 * @returns nothing when there is none, or one that is damaged, or was not this user's alone
 */
export function readPipeKey(file: string): Uint8Array | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, flags)
    const found = fstatSync(handle)
    if (!found.isFile() || found.size !== pipeKeyBytes || !isThisUsersAlone(found)) return undefined
    const key = new Uint8Array(pipeKeyBytes)
    return readSync(handle, key) === pipeKeyBytes ? key : undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/**
 * Makes the key where there is none that can be used. It appears whole, in one step, readable for this user alone; of wrappers that
 * start at the same time the last one's stays, for all of them.
 *
 * @param file in the per-user folder
 * @throws the file system's error
 */
export async function ensurePipeKey(file: string): Promise<void> {
  if (!readPipeKey(file)) await replaceFile(file, randomBytes(pipeKeyBytes))
}
