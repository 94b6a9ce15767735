import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PipeDeniedError } from '../../errors/pipe-error.ts'
import type { LocatePlatform } from './locate-platform.ts'

const writableByGroup = 0o020
const writableByOthers = 0o002
const sticky = 0o1000

/** Linux and macOS: the file is all there is, and owners and permissions tell who can have written a program. */
export const posixLocate: LocatePlatform = {
  readRegistered: async () => undefined,

  async assertTrusted(file) {
    const target = await realpath(file)
    const problem = problemOf(await stat(target), writableByGroup | writableByOthers)
    if (problem) throw new PipeDeniedError(`${target} ${problem}, and is not started.`)
    // Who may write to a folder puts other things into it, a folder of temporary files aside. A group that may is often the
    // administrators'.
    for (const folder of new Set([...foldersAbove(file), ...foldersAbove(target)])) {
      const found = await stat(folder)
      const writable = (found.mode & sticky) === 0 ? writableByOthers : 0
      const problem = problemOf(found, writable)
      if (problem) throw new PipeDeniedError(`${folder} ${problem}, and nothing in it is started.`)
    }
  },
}

function problemOf({ uid, mode }: Stats, refused: number): string | undefined {
  if (uid !== 0 && uid !== process.getuid?.()) return 'belongs to another user'
  return (mode & refused) === 0 ? undefined : 'may be changed by other users'
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}
