import { execFile } from 'node:child_process'
import { access, chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { PayloadFileError, readLaunchFile } from '../../src/launch/launch-file.ts'
import { canMakeUsers, isForOthers, type UnixUser, unixUser } from '../support/unix-user.ts'

describe.skipIf(!canMakeUsers || !(await isForOthers(tmpdir())))('a launch’s file is deleted', () => {
  const deleting = { maxBytes: 100, fail: (problem: string) => new PayloadFileError(problem) }
  const byOthers = 'a folder above it, may be changed by other users (chmod go-w)'
  type Case = [title: string, prepare: (place: Place, bob: UnixUser) => Promise<unknown>, keptAs?: string]

  /** The folders `above/below`, which everybody may enter, and a file in them. */
  interface Place {
    readonly above: string
    readonly below: string
    readonly file: string
  }

  test.each<Case>([
    ['in a folder of this user alone', async () => undefined],
    ['in a folder that all may write', ({ below }) => chmod(below, 0o777), byOthers],
    [
      'in a folder that another user’s group may write',
      async ({ below }, { gid }) => {
        await chown(below, 0, gid)
        await chmod(below, 0o775)
      },
      byOthers,
    ],
    [
      'in a folder of another user',
      ({ below }, { uid, gid }) => chown(below, uid, gid),
      'a folder above it, belongs to another user',
    ],
    ['below a folder that all may write', ({ above }) => chmod(above, 0o777), byOthers],
    ['in a sticky folder, this user’s file', ({ below }) => chmod(below, 0o1777)],
    ['below a sticky folder, in this user’s', ({ above }) => chmod(above, 0o1777)],
    [
      'in a sticky folder, another user’s file',
      async ({ below, file }, { uid, gid }) => {
        await chmod(below, 0o1777)
        await chown(file, uid, gid)
      },
      'belongs to another user',
    ],
    [
      'below a sticky folder, in another user’s',
      async ({ above, below }, { uid, gid }) => {
        await chmod(above, 0o1777)
        await chown(below, uid, gid)
      },
      'belongs to another user',
    ],
    [
      'below a folder that others may not enter, whatever is below it',
      async ({ above, below }) => {
        await chmod(below, 0o777)
        await chmod(above, 0o700)
      },
    ],
  ])('%s only if that user cannot exchange it', async (_title, prepare, keptAs) => {
    await using folder = await temporaryFolder()
    await using bob = await unixUser()
    await chmod(folder.path, 0o755)
    const above = join(folder.path, 'above')
    const below = join(above, 'below')
    const place = { above, below, file: join(below, 'input.xml') }
    await mkdir(below, { recursive: true })
    await writeFile(place.file, 'content')
    await prepare(place, bob)
    const read = await readLaunchFile(place.file, deleting)
    const rename = (from: string) =>
      promisify(execFile)('mv', ['-T', from, `${from}-moved`], { uid: bob.uid, gid: bob.gid, cwd: '/' }).then(
        () => true,
        () => false,
      )
    if (keptAs) {
      await expect(read.deleteIfSame()).rejects.toThrow(keptAs)
      await access(place.file)
    }
    expect((await rename(place.file)) || (await rename(below))).toBe(keptAs !== undefined)
    if (!keptAs) expect(await read.deleteIfSame()).toBe(true)
  })
})
