import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installFileName } from '@service-link/protocol-core'

/** What a wrapper leaves in the per-user folder beside the settings. Whatever has another name is somebody else's, and stays. */
const leftNames: readonly RegExp[] = [
  /^browser(-[1-9]\d*)?$/,
  /^browser(-[1-9]\d*)?\.lock$/,
  /^logs$/,
  /^run$/,
  /^tray$/,
  /^settings\.lock$/,
]

/** Files that are replaced in one step, which can leave a part of the next behind. */
const replacedNames: readonly string[] = [installFileName]
const leftover = /^\.[\da-f-]{36}\.tmp$/

/** Options of {@link forgetUser}. */
export interface ForgetUserOptions {
  /** How long what another process still has open is tried again, in milliseconds. Default 5000. */
  readonly timeoutMs?: number
}

const pauseMs = 250

/**
 * Removes what a wrapper has kept for its user, such as the browser's profile, in which one is signed in, and the logs. The settings
 * stay: the folders of versions with `user.config`, and damaged ones that were set aside.
 *
 * Only what the wrapper itself makes is removed, by its name; links are not followed, and a folder that is itself a link is left alone.
 *
 * @param userFolder absolute path
 * @returns how many files could not be removed. Never rejects
 */
export async function forgetUser(userFolder: string, options: ForgetUserOptions = {}): Promise<number> {
  const until = performance.now() + (options.timeoutMs ?? 5000)
  const isFolder = async (path: string) => (await lstat(path)).isDirectory()
  try {
    if (!(await isFolder(userFolder)) || !(await isFolder(dirname(userFolder)))) return 0
    let left = await removeLeft(userFolder)
    // The browser's processes end a little after the wrapper's.
    while (left > 0 && performance.now() < until) {
      await wait(pauseMs)
      left = await removeLeft(userFolder)
    }
    // Only empty ones go.
    for (const folder of [userFolder, dirname(userFolder)]) await rmdir(folder).catch(() => undefined)
    return left
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 0 : 1
  }
}

async function removeLeft(userFolder: string): Promise<number> {
  let left = 0
  for (const name of await readdir(userFolder))
    if (isLeft(name)) left += await removeTree(join(userFolder, name))
  return left
}

function isLeft(name: string): boolean {
  return (
    leftNames.some(pattern => pattern.test(name)) ||
    replacedNames.some(
      replaced =>
        name === replaced || (name.startsWith(replaced) && leftover.test(name.slice(replaced.length))),
    )
  )
}

/**
 * Removes a file, a link, or a folder with all that is in it. What a link or a junction leads to stays: it is removed as what it is.
 * What cannot be removed stays, and the rest goes all the same.
 *
 * @returns how many could not be removed, folders for what is left in them not counted. Never rejects
 */
async function removeTree(path: string): Promise<number> {
  try {
    const found = await lstat(path)
    if (!found.isDirectory()) {
      await unlink(path)
      return 0
    }
    let left = 0
    for (const name of await readdir(path)) left += await removeTree(join(path, name))
    if (left === 0) await rmdir(path)
    return left
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 0 : 1
  }
}
