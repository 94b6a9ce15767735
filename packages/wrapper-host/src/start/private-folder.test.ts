import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensurePrivateFolder, PrivateFolderError } from '../files/access.ts'

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
