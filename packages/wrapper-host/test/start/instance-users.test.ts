import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultBrand, pipeName, unixPipePrefix } from '@service-link/protocol-core'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { hasBrowser } from '@service-link/test-kit/test-window'
import {
  type StartedExecutable,
  startExecutable,
  wrapperExecutable,
} from '@service-link/test-kit/wrapper-executable'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMakeUsers, sharedNode, type TestNode, type UnixUser, unixUser } from '../support/unix-user.ts'

type Executable = Awaited<ReturnType<typeof wrapperExecutable>>

const reachProgram = new URL('../support/reach-process.ts', import.meta.url)
const search = (text: string) => [
  `provider=${defaultBrand.providers.arguments}`,
  `queryexercises=${text}`,
  'wait=true',
]

/** The environment of a log-in without a runtime folder. Users share only the folder of temporary files. */
const environmentOf = (user: UnixUser, wrapper: Executable) => ({
  PATH: process.env.PATH,
  HOME: user.home,
  TMPDIR: tmpdir(),
  SERVICE_WRAPPER_ROOT: wrapper.root,
})

/** Starts the executable as a user, until the end of the scope. */
function startAs(user: UnixUser, wrapper: Executable, argv: string[]) {
  const { uid, gid, home } = user
  const command = wrapper.command(...argv)
  const env = environmentOf(user, wrapper)
  return endedWithScope(startExecutable(command.file, command.argv, { uid, gid, cwd: home, env }))
}

function endedWithScope(started: StartedExecutable): StartedExecutable & AsyncDisposable {
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      if (started.child.exitCode === null) started.child.kill('SIGTERM')
      await started.ended
    },
  }
}

let node: TestNode

/** A web app and an executable, whose files every user may read and run. */
async function sharedExecutable(): Promise<Executable> {
  const wrapper = await wrapperExecutable({ node: node.file })
  await chmod(wrapper.folder, 0o755)
  return wrapper
}

/** Tries to reach paths as a user. Returns the result of each. */
async function reachAs({ uid, gid, home }: UnixUser, paths: readonly string[]): Promise<string[]> {
  const argv = [await bundleProgram(reachProgram), ...paths]
  const { stdout } = await promisify(execFile)(node.file, argv, { uid, gid, cwd: home })
  return JSON.parse(stdout)
}

describe.skipIf(!canMakeUsers || !hasBrowser)('two users of one machine', () => {
  beforeAll(async () => {
    node = await sharedNode()
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test('[1-single-instance] have a wrapper each, and cannot reach the other’s', async () => {
    await using wrapper = await sharedExecutable()
    await using alice = await unixUser()
    await using bob = await unixUser()
    await using first = startAs(alice, wrapper, [])
    await using second = startAs(bob, wrapper, [])
    await Promise.all([first.isWrapper, second.isWrapper])

    const answers = await Promise.all([
      startAs(alice, wrapper, search('of Alice')).ended,
      startAs(bob, wrapper, search('of Bob')).ended,
    ])
    expect(answers).toEqual([0, 0].map(exitCode => ({ exitCode, errors: '' })))
    expect(wrapper.calls.map(({ value }) => value.text).sort()).toEqual(['of Alice', 'of Bob'])

    const userFolder = join(alice.home, '.local', 'share', defaultBrand.vendor, defaultBrand.application)
    const inside = (folder: string, names: readonly string[]) => names.map(name => join(folder, name))
    const paths = [
      join(tmpdir(), `${unixPipePrefix}${pipeName(defaultBrand, first.child.pid ?? 0)}`),
      userFolder,
      ...inside(userFolder, await readdir(userFolder, { recursive: true })).slice(0, 100),
    ]
    expect(paths.length).toBeGreaterThan(6)
    expect(await reachAs(bob, paths)).toEqual(paths.map(() => 'EACCES'))
  })

  test('for any files of another user in the temporary folder, the wrapper runs and takes launches', async () => {
    await using wrapper = await sharedExecutable()
    await using alice = await unixUser()
    await using bob = await unixUser()
    const open = join(tmpdir(), `webwrapper-${alice.uid}`)
    await mkdir(open)
    await chown(open, bob.uid, bob.gid)
    const { file, argv } = wrapper.command()
    // The shell becomes the executable later, so the test knows the process id before.
    const shell = ['-c', 'read -r go; exec "$0" "$@"', file, ...argv]
    const { uid, gid, home } = alice
    const env = environmentOf(alice, wrapper)
    await using started = endedWithScope(startExecutable('/bin/sh', shell, { uid, gid, cwd: home, env }))
    const address = join(tmpdir(), `${unixPipePrefix}${pipeName(defaultBrand, started.child.pid ?? 0)}`)
    let dialled = 0
    const squatter = createServer(socket => {
      dialled += 1
      socket.destroy()
    })
    await new Promise<void>(resolve => squatter.listen(address, resolve))
    await chmod(address, 0o777)
    try {
      started.child.stdin?.end('go\n')
      await started.isWrapper
      expect(await startAs(alice, wrapper, search('of Alice')).ended).toEqual({ exitCode: 0, errors: '' })
      expect(wrapper.calls.map(({ value }) => value.text)).toEqual(['of Alice'])
    } finally {
      await new Promise(resolve => squatter.close(resolve))
      await rm(open, { recursive: true })
    }
    expect(dialled).toBe(0)
  })

  test('a per-user folder owned by root is reported, and nothing runs', async () => {
    await using wrapper = await sharedExecutable()
    await using alice = await unixUser()
    await mkdir(join(alice.home, '.local', 'share', defaultBrand.vendor, defaultBrand.application), {
      recursive: true,
    })
    const { exitCode, errors } = await startAs(alice, wrapper, search('never')).ended
    expect({ exitCode, errors }).toEqual({
      exitCode: 2,
      errors: expect.stringMatching(
        /^The per-user folder .*\(ERR_INSTANCE_ACCESS\)\nhttps:\S+\nThe log .* cannot be written \(ERR_INSTANCE_ACCESS\)\.\n$/,
      ),
    })
    expect(wrapper.calls).toEqual([])
  })
})
