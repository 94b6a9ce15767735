import { lstatSync, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import { isThisUsers } from '../running/own-file.ts'
import type { PipePlatform } from './pipe-platform.ts'

/**
 * Codes of a connection that was closed with unread bytes of the request. Other ends close the stream. A server that makes
 * its pipe anew between two clients ends the waiting connections like this.
 */
const unreadCodes = new Set(['ECONNRESET', 'EPIPE'])

/** Time for a process to end by itself, with its browser, in milliseconds. */
const askedMs = 3_000
/** Longest wait for the end after force, in milliseconds. */
const forcedMs = 1_000
const endPauseMs = 20

const writableByGroup = 0o020
const writableByOthers = 0o002
const sticky = 0o1000

/**
 * Linux and macOS: the pipe is a Unix socket in the folder of temporary files. Other users may write to this folder, but it is
 * sticky: they cannot replace a socket of this user.
 */
export const posix: PipePlatform = {
  tellsUnread: true,
  meaningOfBreak: ({ code = '' }) => (unreadCodes.has(code) ? 'unread' : 'unknown'),

  identifyOwn(address) {
    const found = statusOf(address)
    if (!found) return undefined
    if (!found.isSocket()) throw new PipeDeniedError(`${address} is not a socket, and is not used.`)
    if (!isThisUsers(found)) throw new PipeDeniedError(`${address} belongs to another user, and is not used.`)
    // Systems reuse the inode number of a removed file.
    return [found.dev, found.ino, found.ctimeMs].join(' ')
  },

  async endTree(pid, ended) {
    if (!trySignal(pid, 'SIGTERM')) return true
    for (const asked = new Deadline(askedMs); !asked.isOver; ) {
      await pause(endPauseMs)
      if (!trySignal(pid, 0)) return true
    }
    trySignal(pid, 'SIGKILL')
    return Promise.race([ended.then(() => true), pause(forcedMs).then(() => false)])
  },

  readRegistered: async () => [],

  async assertTrusted(file) {
    try {
      const target = await realpath(file)
      const problem = problemOf(await stat(target))
      if (problem) throw new PipeDeniedError(`${target} ${problem}, and is not started.`)
      // A user who may write to a folder can put another program there. A sticky folder prevents that.
      for (const folder of new Set([...foldersAbove(file), ...foldersAbove(target)])) {
        const found = await stat(folder)
        const problem = problemOf(found, (found.mode & sticky) !== 0)
        if (problem) throw new PipeDeniedError(`${folder} ${problem}, and nothing in it is started.`)
      }
    } catch (error) {
      if (error instanceof PipeDeniedError) throw error
      const { code } = error as NodeJS.ErrnoException
      throw new PipeDeniedError(`${file} cannot be looked at (${code}), and is not started.`)
    }
  },
}

// Synchronous: it takes microseconds, and a round trip through the thread pool costs more than the call.
function statusOf(address: string): Stats | undefined {
  try {
    return lstatSync(address, { throwIfNoEntry: false })
  } catch {
    throw new PipeDeniedError(`${address} cannot be looked at.`)
  }
}

/** Tells whether the group exists; also true if this user may not signal it. */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function problemOf({ uid, gid, mode }: Stats, isSticky = false): string | undefined {
  const user = process.getuid?.()
  if (uid !== 0 && uid !== user) return 'belongs to another user'
  if (isSticky) return undefined
  if ((mode & writableByOthers) !== 0) return 'may be changed by other users'
  if ((mode & writableByGroup) === 0 || mayGroupWrite(gid, process.platform, user, process.getgid?.()))
    return undefined
  return 'may be changed by a group'
}

/** The group `admin` of macOS: the administrators. Applications lie in a folder of this group. */
const macAdministrators = 80

/**
 * Tells whether a group is this user's alone, or the administrators'. Compares numbers only, because the list of members
 * may be on the network: systems that make a group for each user give it the number of the user.
 */
export function mayGroupWrite(
  group: number,
  platform: NodeJS.Platform,
  user: number | undefined,
  primary: number | undefined,
): boolean {
  if (group === 0 || (platform === 'darwin' && group === macAdministrators)) return true
  return group === primary && group === user
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}
