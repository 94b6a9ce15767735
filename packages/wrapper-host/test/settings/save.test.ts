import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { tryLockInstance } from '../../src/files/instance-lock.ts'
import { replaceFile } from '../../src/files/replace-file.ts'
import { readConfigFile } from '../../src/settings/config-file.ts'
import { loadSettings, withSettingsLock } from '../../src/settings/load-settings.ts'
import { settingsFolders, settingText, userFileText } from '../support/settings-folders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isWine } from '../support/wine.ts'

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

  test('a concurrent manual change and the file’s other content are kept', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await at.writeUserFile(
      `\uFEFF${userFileText(`<!-- mine -->${settingText('LogLevel', 'debug')}${settingText('Unknown', 'x')}`)}`,
    )
    await save({ Zoom: '2' })
    const text = await readFile(at.userFile, 'utf8')
    expect(text).toMatch(/^\uFEFF<configuration><userSettings><S><!-- mine -->/)
    expect([...readConfigFile(text, at.userFile).user]).toEqual([
      ['LogLevel', 'debug'],
      ['Unknown', 'x'],
      ['Zoom', '2'],
    ])
  })

  test('calls run one after another, even after a failure', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    const zooms = Array.from({ length: 20 }, (_, index) => `1.${index + 1}`)
    const outcomes = await Promise.allSettled([
      ...zooms.slice(0, 10).map(Zoom => save({ Zoom })),
      save({ Zoom: 'large' }),
      ...zooms.slice(10).map(Zoom => save({ Zoom })),
      save({ LogLevel: 'warn' }),
    ])
    expect(outcomes.map(({ status }) => status).filter(status => status === 'rejected')).toHaveLength(1)
    expect((await loadSettings(at.options)).values).toMatchObject({ Zoom: '1.20', LogLevel: 'warn' })
    expect(await readdir(at.userConfigFolder)).toEqual(['user.config'])
  })

  test.each([
    [{ AppUrl: 'https://evil.example' }, 'AppUrl', 'cannot be set by a user'],
    [{ constructor: 'x' }, 'constructor', 'cannot be set by a user'],
    [{ Zoom: 'large' }, 'Zoom', 'must be empty or a number from 0.25 to 5'],
    [{ BrowserEngine: 'a\0' }, 'BrowserEngine', 'has a character that XML does not allow'],
  ])('%j is refused and nothing is written', async (changes: Record<string, string>, setting, problem) => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    const before = await readFile(at.userFile, 'utf8')
    await expect(save({ LogLevel: 'warn', ...changes })).rejects.toMatchObject({
      code: 'ERR_SETTING',
      setting,
      message: `The setting ${setting} ${problem}.`,
    })
    expect(await readFile(at.userFile, 'utf8')).toBe(before)
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

  // Wine makes no junctions.
  test.skipIf(isWine)('a failing write is reported with advice, and leaves nothing behind', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await rm(at.options.folders.userFolder, { recursive: true })
    await symlink(
      join(at.options.folders.applicationRoot, 'nowhere'),
      at.options.folders.userFolder,
      'junction',
    )
    await expect(save({ Zoom: '1.5' })).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringMatching(/cannot be written \(E[A-Z]+\).*SERVICE_WRAPPER_DATA/),
    })
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

  test('two processes that save at once lose nothing', async () => {
    await using at = await settingsFolders()
    await loadSettings(at.options)
    const run = (name: string) => {
      const program = `
        import { loadSettings } from ${JSON.stringify(new URL('../../src/settings/load-settings.ts', import.meta.url).href)}
        const options = ${JSON.stringify(at.options)}
        const { save } = await loadSettings(options)
        for (let index = 10; index < 30; index++) {
          const value = '${name}' === 'Zoom' ? '1.' + index : '1,2,300,' + (400 + index)
          await save({ ${name}: value })
          const { values } = await loadSettings(options)
          if (values.${name} !== value) throw new Error('lost: ' + value)
        }`
      const argv = ['-C', '@service-link/source', '--input-type=module', '-e', program]
      return promisify(execFile)(process.execPath, argv)
    }
    let isRunning = true
    const both = Promise.all([run('Zoom'), run('WindowPlacement')]).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      readConfigFile(await readFile(at.userFile, 'utf8'), at.userFile)
      await new Promise(setImmediate)
    }
    await both
    expect((await loadSettings(at.options)).values).toMatchObject({
      Zoom: '1.29',
      WindowPlacement: '1,2,300,429',
    })
    expect(await readdir(at.userConfigFolder)).toEqual(['user.config'])
  })

  test('a second first start takes over the first one’s file and saved values', async () => {
    await using at = await settingsFolders()
    const lock = tryLockInstance(join(at.options.folders.userFolder, 'settings.lock'))
    const second = loadSettings(at.options)
    // Much longer than writing the file takes.
    for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate)
    expect(await readdir(at.options.folders.userFolder)).toEqual(['settings.lock'])
    await at.writeUserFile(userFileText(settingText('Zoom', '1.5')))
    lock?.[Symbol.dispose]()
    expect((await second).values.Zoom).toBe('1.5')
    expect(await readFile(at.userFile, 'utf8')).toContain('1.5')
  })

  test('the file is created under the lock', async () => {
    await using at = await settingsFolders()
    let isLocked: boolean | undefined
    const now = () => {
      using lock = tryLockInstance(join(at.options.folders.userFolder, 'settings.lock'))
      isLocked = lock === undefined
      return new Date()
    }
    await loadSettings({ ...at.options, now })
    expect(isLocked).toBe(true)
  })

  test('waits for another wrapper up to its limit', async () => {
    await using at = await settingsFolders()
    await loadSettings(at.options)
    using _lock = tryLockInstance(join(at.options.folders.userFolder, 'settings.lock'))
    const run = vi.fn(async () => undefined)
    await expect(withSettingsLock(at.userFile, run, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringContaining('another wrapper of this user is changing it'),
    })
    expect(run).not.toHaveBeenCalled()
  })

  test('without a possible lock, settings are still saved', async () => {
    await using at = await settingsFolders()
    const { save } = await loadSettings(at.options)
    await rm(join(at.options.folders.userFolder, 'settings.lock'))
    await mkdir(join(at.options.folders.userFolder, 'settings.lock'))
    await save({ Zoom: '1.5' })
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
  })
})

describe('replaceFile', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'waits while another program has the file open (%s)',
    async code => {
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'user.config')
      await writeFile(file, 'old')
      let failures = 3
      const { rename } = await import('node:fs/promises')
      await replaceFile(file, 'new', {
        rename: async (from, to) => {
          if (failures-- > 0) throw Object.assign(new Error('in use'), { code })
          await rename(from, to)
        },
      })
      expect(await readFile(file, 'utf8')).toBe('new')
      expect(await readdir(folder.path)).toEqual(['user.config'])
    },
  )

  test.each([
    ['EBUSY', true],
    ['ENOSPC', false],
  ])('gives up with %s; the old file stays', async (code, isTriedAgain) => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'user.config')
    await writeFile(file, 'old')
    let attempts = 0
    const rename = async () => {
      attempts++
      throw Object.assign(new Error('no'), { code })
    }
    await expect(replaceFile(file, 'new', { rename, inUseLimitMs: 40 })).rejects.toMatchObject({ code })
    expect(attempts > 1).toBe(isTriedAgain)
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(folder.path)).toEqual(['user.config'])
  })

  test('leftovers of a power failure are removed, and nothing else', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'user.config')
    const [left, current] = [randomUUID(), randomUUID()].map(id => `user.config.${id}.tmp`) as [
      string,
      string,
    ]
    const others = [`other.config.${randomUUID()}.tmp`, 'user.config.old.tmp']
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
    for (const name of [left, current, ...others]) await writeFile(join(folder.path, name), '')
    for (const name of [left, ...others]) await utimes(join(folder.path, name), longAgo, longAgo)
    await replaceFile(file, 'new')
    expect((await readdir(folder.path)).sort()).toEqual(['user.config', current, ...others].sort())
  })

  test('an obstacle is not replaced', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'user.config')
    await mkdir(join(file, 'something'), { recursive: true })
    await expect(replaceFile(file, 'new')).rejects.toThrow()
    expect(await readdir(folder.path)).toEqual(['user.config'])
  })
})
