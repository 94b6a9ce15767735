import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { replaceFile } from '../../src/files/whole-file.ts'
import { readConfigFile } from '../../src/settings/config-file.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingsFolders, settingText, userFileText } from '../support/settings-folders.ts'

describe('save', () => {
  test('[2.2-files] saved values count at the next start', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await save({ Zoom: '1.5', WindowPlacement: '1,2,300,400' })
    await save({ WindowPlacement: '-8,0,1024,768' })
    const { values, origins } = await loadSettings(at.options)
    expect(values).toMatchObject({ Zoom: '1.5', WindowPlacement: '-8,0,1024,768' })
    expect(origins).toMatchObject({ Zoom: 'user file', LogLevel: 'default' })
  })

  test('a concurrent manual change and unknown settings are kept', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await at.writeUserFile(
      `\uFEFF${userFileText(`<!-- mine -->${settingText('LogLevel', 'debug')}${settingText('Unknown', 'x')}`)}`,
    )
    await save({ Zoom: '2' })
    const text = await readFile(at.userFile, 'utf8')
    expect([...readConfigFile(text, at.userFile).user]).toEqual([
      ['LogLevel', 'debug'],
      ['Unknown', 'x'],
      ['Zoom', '2'],
    ])
  })

  test('calls run one after another', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    const zooms = Array.from({ length: 20 }, (_, index) => `1.${index + 1}`)
    const outcomes = await Promise.allSettled([
      ...zooms.slice(0, 10).map(Zoom => save({ Zoom })),
      ...zooms.slice(10).map(Zoom => save({ Zoom })),
      save({ LogLevel: 'warn' }),
    ])
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await loadSettings(at.options)).values).toMatchObject({ Zoom: '1.20', LogLevel: 'warn' })
    expect(await readdir(at.userConfigFolder)).toEqual(['user.config'])
  })

  test('an equal file is not written', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await save({ Zoom: '1.5' })
    const { ino } = await stat(at.userFile, { bigint: true })
    await save({ Zoom: '1.5' })
    expect((await stat(at.userFile, { bigint: true })).ino).toBe(ino)
  })

  test('a file in the middle of a manual edit stays unchanged', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await at.writeUserFile('<configuration><userSett')
    await expect(save({ Zoom: '1.5' })).rejects.toMatchObject({ code: 'ERR_CONFIG_FILE', line: 1 })
    expect(await readFile(at.userFile, 'utf8')).toBe('<configuration><userSett')
  })

  test('a file or folder deleted meanwhile is created again', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await rm(at.options.folders.userFolder, { recursive: true })
    await save({ Zoom: '1.5' })
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
  })

  test.skipIf(process.platform === 'win32')('file and folders are private to this user', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await save({ Zoom: '1.5' })
    const modes = [at.options.folders.userFolder, at.userConfigFolder, at.userFile].map(
      async path => (await stat(path)).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
  })
})

describe('replaceFile', () => {
  test('an obstacle is not replaced', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'user.config')
    await mkdir(join(file, 'something'), { recursive: true })
    await expect(replaceFile(file, 'new')).rejects.toThrow()
    expect(await readdir(folder.path)).toEqual(['user.config'])
  })
})
