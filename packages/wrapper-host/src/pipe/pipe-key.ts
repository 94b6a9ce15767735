import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Brand, pipeKeyBytes, pipeKeyFileName } from '@service-link/protocol-core'
import { replaceFile, whileInUse } from '../files/replace-file.ts'
import { isThisUsersAlone } from '../instance/private-folder.ts'
import { failureReason } from '../log/failure-reason.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'

/** Neither through a link, nor waiting for whoever writes to a pipe. Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** There is none: nothing, a link, or what cannot be opened as a file. All else is a file that cannot be read at this moment. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])

/** This user may not read it; Windows says so, too, while somebody else has it open or removes it. */
const denied: ReadonlySet<string> = new Set(['EACCES', 'EPERM'])

/** What may be over at the next try: another program has the file, or this process has too many. */
const passing: readonly string[] = [...denied, 'EBUSY', 'EMFILE', 'ENFILE']

/** How long a key that cannot be read is waited for at the wrapper's start, in milliseconds. */
const unreadableLimitMs = 2000

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
 * @throws the file system's error when there is one that cannot be read at this moment
 */
export function readPipeKey(file: string): Uint8Array | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, flags)
    const found = fstatSync(handle)
    if (!found.isFile() || found.size !== pipeKeyBytes || !isThisUsersAlone(found)) return undefined
    const key = new Uint8Array(pipeKeyBytes)
    return readSync(handle, key) === pipeKeyBytes ? key : undefined
  } catch (error) {
    if (absent.has(failureReason(error))) return undefined
    throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/**
 * Makes the key where there is none that can be used. It appears whole, in one step, readable for this user alone; of wrappers that
 * start at the same time the last one's stays, for all of them. One that another program has open is waited for, not replaced: other
 * wrappers prove themselves with it.
 *
 * @param file in the per-user folder
 * @throws the file system's error
 */
export async function ensurePipeKey(file: string): Promise<void> {
  if (!(await readWhenFree(file))) await replaceFile(file, randomBytes(pipeKeyBytes))
}

async function readWhenFree(file: string): Promise<Uint8Array | undefined> {
  try {
    return await whileInUse(async () => readPipeKey(file), { reasons: passing, limitMs: unreadableLimitMs })
  } catch (error) {
    // What its own user may not read is of no use to anybody.
    if (denied.has(failureReason(error))) return undefined
    throw error
  }
}
