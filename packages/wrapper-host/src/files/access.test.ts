import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accessProblem, ensurePrivateFolder, PrivateFolderError } from './access.ts'

const me = 1000

test.each<[title: string, uid: number, mode: number, isPrivate: boolean, problem: string | undefined]>([
  ['its owner’s alone', me, 0o100600, true, undefined],
  ['the administrator’s', 0, 0o100600, true, undefined],
  ['readable by all, where nothing is secret', me, 0o100644, false, undefined],
  ['readable by all, where something is', me, 0o100644, true, 'may be read by other users (chmod go-rwx)'],
  [
    'to be run by its group, where something is secret',
    me,
    0o100710,
    true,
    'may be read by other users (chmod go-rwx)',
  ],
  ['writable by its group', me, 0o100664, false, 'may be changed by other users (chmod go-w)'],
  [
    'writable by all, like a folder of temporary files',
    0,
    0o41777,
    false,
    'may be changed by other users (chmod go-w)',
  ],
  ['another user’s', 1001, 0o100600, false, 'belongs to another user'],
])('a file that is %s', (_title, uid, mode, isPrivate, problem) => {
  expect(accessProblem({ uid, mode }, isPrivate, me)).toBe(problem)
  expect(accessProblem({ uid: BigInt(uid), mode: BigInt(mode) }, isPrivate, me)).toBe(problem)
})

describe.skipIf(process.platform === 'win32')('ensurePrivateFolder', () => {
  let parent: string
  let folder: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'private-folder-'))
    folder = join(parent, 'new', 'private')
  })
  afterEach(() => rm(parent, { recursive: true }))

  test('makes a private folder, and accepts it again', async () => {
    ensurePrivateFolder(folder)
    ensurePrivateFolder(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('refuses a folder open to others', async () => {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o710)
    expect(() => ensurePrivateFolder(folder)).toThrow(PrivateFolderError)
  })

  test('refuses a file', async () => {
    await mkdir(join(parent, 'new'))
    await writeFile(folder, '', { mode: 0o600 })
    expect(() => ensurePrivateFolder(folder)).toThrow(PrivateFolderError)
  })

  test('refuses a folder that cannot be made, with reason and advice', async () => {
    await writeFile(join(parent, 'new'), '')
    expect(() => ensurePrivateFolder(folder)).toThrow(
      expect.objectContaining({
        code: 'ERR_PRIVATE_FOLDER',
        message: expect.stringMatching(/cannot be made \(E[A-Z]+\)\..* SERVICE_WRAPPER_DATA/),
      }),
    )
  })

  test('refuses a link, even to a private folder', async () => {
    const target = join(parent, 'target')
    await mkdir(target, { mode: 0o700 })
    await mkdir(join(parent, 'new'))
    await symlink(target, folder)
    expect(() => ensurePrivateFolder(folder)).toThrow(PrivateFolderError)
  })

  test('refuses a folder of another user', async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Only root can give a folder away. Other users test with a foreign folder.
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(folder, 65_534, 65_534)
    expect(() => ensurePrivateFolder(isRoot ? folder : '/')).toThrow(/belongs to another user/)
  })
})
