import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PipeDeniedError } from '../../errors/pipe-error.ts'
import type { LocatePlatform } from './locate-platform.ts'
import { mayGroupWrite } from './may-group-write.ts'

const writableByGroup = 0o020
const writableByOthers = 0o002
const sticky = 0o1000

/** Linux and macOS: the file is all there is, and owners and permissions tell who can have written a program. */
export const posixLocate: LocatePlatform = {
  readRegistered: async () => undefined,

  async assertTrusted(file) {
    const target = await lookAt(file, path => realpath(path))
    const problem = problemOf(await lookAt(target, path => stat(path)))
    if (problem) throw new PipeDeniedError(`${target} ${problem}, and is not started.`)
    // Who may write to a folder puts other things into it, a folder of temporary files aside.
    for (const folder of new Set([...foldersAbove(file), ...foldersAbove(target)])) {
      const found = await lookAt(folder, path => stat(path))
      const problem = problemOf(found, (found.mode & sticky) !== 0)
      if (problem) throw new PipeDeniedError(`${folder} ${problem}, and nothing in it is started.`)
    }
  },
}

/** What was there a moment ago may be gone, or out of this user's sight. */
async function lookAt<Found>(path: string, look: (path: string) => Promise<Found>): Promise<Found> {
  try {
    return await look(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new PipeDeniedError(`${path} cannot be looked at (${code}), and is not started.`)
  }
}

function problemOf({ uid, gid, mode }: Stats, isForAll = false): string | undefined {
  const user = process.getuid?.()
  if (uid !== 0 && uid !== user) return 'belongs to another user'
  if (isForAll) return undefined
  if ((mode & writableByOthers) !== 0) return 'may be changed by other users'
  if ((mode & writableByGroup) === 0 || mayGroupWrite(gid, process.platform, user, process.getgid?.()))
    return undefined
  return 'may be changed by a group'
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}
