import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PrivateServer } from '../../src/start/private-server.ts'
import { newWrapper } from '../support/new-wrapper.ts'

const isRoot = process.getuid?.() === 0
if (isRoot) console.warn('Folders without a right are not tested: root has every right.')

/** What TMPDIR names; made in a new folder. */
const folders: readonly [string, string, (folder: string) => Promise<string>][] = [
  ['is not there', 'EACCES|ENOENT', async folder => join(folder, 'none')],
  [
    'is a file',
    'ENOTDIR',
    async folder => {
      await writeFile(join(folder, 'file'), '')
      return join(folder, 'file')
    },
  ],
  [
    'leads to itself',
    'ELOOP',
    async folder => {
      await symlink('loop', join(folder, 'loop'))
      return join(folder, 'loop')
    },
  ],
  [
    'makes a path of more bytes than a socket may have',
    'EINVAL|ENAMETOOLONG',
    async folder => {
      const long = join(folder, 'å'.repeat(50))
      await mkdir(long)
      return long
    },
  ],
]
/** Folders of this user without a right. */
const closed: typeof folders = [0o500, 0o600].map(mode => [
  `has the mode ${mode.toString(8)}`,
  'EACCES',
  async folder => {
    await mkdir(join(folder, 'closed'), { mode })
    return join(folder, 'closed')
  },
])

afterEach(() => void vi.unstubAllEnvs())

// Windows has no folder of pipes.
describe.skipIf(process.platform === 'win32')('a folder of pipes that cannot hold one', () => {
  test.each(isRoot ? folders : [...folders, ...closed])(
    'does not stop the start if it %s: the wrapper says so, takes launches, and is found by its record',
    async (_title, reason, make) => {
      await using folder = await temporaryFolder()
      await using made = await newWrapper()
      vi.stubEnv('TMPDIR', await make(folder.path))
      try {
        const { pipeAddress } = await made.run()
        expect(pipeAddress).toBeUndefined()
        expect(made.notices).toEqual([
          expect.stringMatching(new RegExp(`^The wrapper has no pipe: .*\\((${reason})\\).* TMPDIR`)),
        ])
        const logged = { level: 'error', event: 'pipe-absent', reason: expect.stringMatching(reason) }
        expect(await made.log()).toContainEqual(expect.objectContaining(logged))
        expect(await made.start()).toMatchObject({ role: 'handed-off', outcome: { status: 'accepted' } })
        await using client = await connectWrapper({ userFolder: made.userFolder })
        expect(await client.version()).toBe('3.0.0.0')
      } finally {
        await chmod(join(folder.path, 'closed'), 0o700).catch(() => undefined)
      }
    },
  )
})

describe.skipIf(process.platform === 'win32')('a folder that cannot hold the hand-off', () => {
  test.each(folders)('is named if it %s', async (_title, reason, make) => {
    await using folder = await temporaryFolder()
    const address = join(await make(folder.path), 'socket')
    const take = () => Promise.reject(new Error('There is no launch.'))
    const listening = PrivateServer.listen(address, { key: { ask: 'a', answer: 'b' }, take })
    const message = expect.stringMatching(new RegExp(`cannot hold the hand-off socket .*\\((${reason})\\)`))
    await expect(listening).rejects.toMatchObject({ code: 'ERR_PRIVATE_FOLDER', message })
  })
})
