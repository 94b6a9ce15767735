import { access, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isWine } from '../../test/support/wine.ts'
import { forgetUser } from './installer.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forget-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

let userFolder: string
let count = 0
beforeEach(() => {
  userFolder = join(folder, String(count++), 'Vendor', 'Wrapper')
})

async function fill(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(userFolder, file)), { recursive: true })
    await writeFile(join(userFolder, file), 'x')
  }
}

async function left(): Promise<string[]> {
  const entries = await readdir(userFolder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(userFolder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

const attempt = '0b5c2a3e-5a2b-4c8e-9a51-6f2f0c1d7e10'
const ours = [
  ...['browser/Default/Cookies', 'browser-2/Default/Network/Cookies', 'browser.lock', 'browser-12.lock'],
  ...['logs/wrapper.log', 'logs/wrapper.1.log', 'tray/tray.exe', 'install.json'],
  ...[`install.json.${attempt}.tmp`, `suspended-${'0a'.repeat(16)}`],
  ...['run/abababababab.lock', 'run/abababababab.sock', 'run/abababababab.json'],
]
const settings = [
  '3.0.0.0/user.config',
  '3.1.0.0/user.config',
  '3.1.0.0/user.config.bad-2026-11-22T06-00-00-000Z',
]

describe('a wrapper’s files of its user', () => {
  test('are removed, except settings and foreign files', async () => {
    const others = [
      'browser.old/x',
      'browser-0/x',
      'browser-2.bak',
      'install.json.bak',
      'notes.txt',
      'abab.lock',
    ]
    await fill(...ours, ...settings, ...others)
    expect(await forgetUser(userFolder)).toBe(0)
    expect(await left()).toEqual([...settings, ...others].sort())
  })

  test('are removed with their folders when nothing else is there', async () => {
    await fill(...ours)
    expect(await forgetUser(userFolder)).toBe(0)
    await expect(access(dirname(userFolder))).rejects.toMatchObject({ code: 'ENOENT' })
    await access(dirname(dirname(userFolder)))
    expect(await forgetUser(userFolder)).toBe(0)
  })

  // Wine makes no junctions.
  test.skipIf(isWine)('are not removed through a link out of the folder', async () => {
    const outside = join(folder, 'outside')
    await mkdir(join(outside, 'deep'), { recursive: true })
    await writeFile(join(outside, 'deep', 'kept'), 'x')
    await fill('browser/Default/Cookies')
    await symlink(outside, join(userFolder, 'browser', 'link'), 'junction')
    await symlink(outside, join(userFolder, 'logs'), 'junction')
    expect(await forgetUser(userFolder)).toBe(0)
    expect(await readdir(join(outside, 'deep'))).toEqual(['kept'])
    await expect(access(userFolder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test.skipIf(isWine).each(['the folder', 'the vendor’s folder'])('stay where %s is a link', async which => {
    const real = join(folder, `real-${count}`)
    await mkdir(join(real, 'Wrapper', 'logs'), { recursive: true })
    const link = which === 'the folder' ? userFolder : dirname(userFolder)
    await mkdir(dirname(link), { recursive: true })
    await symlink(which === 'the folder' ? join(real, 'Wrapper') : real, link, 'junction')
    expect(await forgetUser(userFolder)).toBe(0)
    expect(await readdir(join(real, 'Wrapper'))).toEqual(['logs'])
  })
})
