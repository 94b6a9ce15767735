import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand, installFileName, wrapperUserFolder } from '@service-link/protocol-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type SharedNode, sharedNode } from './_shared-node.ts'
import { canMakeUsers, unixUser } from './_unix-user.ts'
import { hasBrowser } from './_window-browser.ts'
import { startExecutable, wrapperExecutable } from './_wrapper-executable.ts'

const foreignProgram = fileURLToPath(new URL('_foreign-process.ts', import.meta.url))

let node: SharedNode

describe.skipIf(!canMakeUsers || !hasBrowser)('a program of one user', () => {
  beforeAll(async () => {
    node = await sharedNode()
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test('[4.5-name] neither finds nor commands nor starts the wrapper of another, and is told so', async () => {
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
      const theirs = ['-C', '@service-link/source', foreignProgram, String(running.child.pid), userFolder]
      const { stdout } = await promisify(execFile)(node.file, theirs, {
        uid: bob.uid,
        gid: bob.gid,
        cwd: bob.home,
        env: { PATH: process.env.PATH, HOME: bob.home },
      })
      expect(JSON.parse(stdout)).toEqual({
        found: [],
        connect: 'ERR_PIPE_DENIED',
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
