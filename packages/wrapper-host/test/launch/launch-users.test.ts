import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultBrand, installFileName, wrapperUserFolder } from '@service-link/protocol-core'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { startExecutable, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PayloadFileError, readLaunchFile } from '../../src/launch/launch-file.ts'
import { isForOthers, sharedNode, type TestNode } from '../support/test-node.ts'
import { canMakeUsers, type UnixUser, unixUser } from '../support/unix-user.ts'

const foreignProgram = new URL('../support/foreign-process.ts', import.meta.url)

let node: TestNode

describe.skipIf(!canMakeUsers || !hasBrowser)('a program of one user', () => {
  beforeAll(async () => {
    node = await sharedNode()
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test('[4.5-name] neither finds, commands nor starts another user’s wrapper, and gets an error', async () => {
    await using wrapper = await wrapperExecutable({ node: node.file })
    await chmod(wrapper.folder, 0o755)
    await using alice = await unixUser()
    await using bob = await unixUser()
    const { file, argv } = wrapper.command()
    const environment = { PATH: process.env.PATH, HOME: alice.home, SERVICE_WRAPPER_ROOT: wrapper.root }
    const { uid, gid, home } = alice
    const running = startExecutable(file, argv, { uid, gid, cwd: home, env: environment })
    try {
      await running.isWrapper
      const userFolder = wrapperUserFolder(defaultBrand, process.platform, environment, () => home)
      await vi.waitFor(() => access(join(userFolder, installFileName)), { timeout: 60_000 })
      const theirs = [await bundleProgram(foreignProgram), String(running.child.pid), userFolder]
      const { stdout } = await promisify(execFile)(node.file, theirs, {
        uid: bob.uid,
        gid: bob.gid,
        cwd: bob.home,
        env: { PATH: process.env.PATH, HOME: bob.home },
      })
      expect(JSON.parse(stdout)).toEqual({
        found: [],
        connect: 'ERR_PIPE_NOT_FOUND',
        connectClassic: 'ERR_PIPE_DENIED',
        connectAny: 'ERR_PIPE_NOT_FOUND',
        locate: 'ERR_PIPE_NOT_INSTALLED',
        locateTheirs: 'ERR_PIPE_DENIED',
        launchTheirs: 'ERR_PIPE_DENIED',
      })
      expect(running.child.exitCode).toBeNull()
    } finally {
      running.child.kill('SIGTERM')
      if (running.child.exitCode === null) await once(running.child, 'exit')
    }
  })
})

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
