import { execFileSync } from 'node:child_process'
import { chmod, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSettings } from '../../src/settings/describe-settings.ts'
import { findSettings } from '../../src/settings/find-settings.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingsFolders, settingsVersion, settingText, userFileText } from '../support/settings-folders.ts'
import { isWine } from '../support/wine.ts'

describe('loadSettings', () => {
  test('[2.2-files] the first launch creates user.config, the next reads it', async () => {
    await using at = await settingsFolders()
    await loadSettings(at.options)
    expect(await readFile(at.userFile, 'utf8')).toContain('<userSettings>')
    await at.writeUserFile(userFileText(settingText('BrowserEngine', 'Headless')))
    expect((await loadSettings(at.options)).values.BrowserEngine).toBe('Headless')
  })

  test.each([
    ['cut off', '<configuration><userSet'],
    ['UTF-16 cut within a character', Buffer.from(userFileText('Å'), 'utf16le').subarray(0, -1)],
    [
      'of a code page that it does not declare',
      Buffer.from(userFileText(settingText('BrowserEngine', 'Å')), 'latin1'),
    ],
    ['of zeros, as after a failure of power', Buffer.alloc(512)],
    ['empty', ''],
  ])(
    'a user.config that is %s is set aside, which is an event, and the defaults apply',
    async (_title, content) => {
      await using at = await settingsFolders()
      await at.writeUserFile('')
      await writeFile(at.userFile, content)
      await at.writeUserFile(userFileText(settingText('MinimizeOnExit', 'False')), '2.0.0.0')
      const { events, values } = await loadSettings(at.options)
      expect(events).toEqual([{ type: 'settings-damaged' }])
      expect(values.MinimizeOnExit).toBe(true)
      expect((await readdir(at.userConfigFolder)).sort()).toEqual([
        'user.config',
        expect.stringMatching(/^user\.config\.bad-[\d-]+T[\d-]+Z$/),
      ])
      expect((await loadSettings(at.options)).events).toEqual([])
    },
  )

  const declared = (encoding: string, url: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\r\n${userFileText(settingText('AppUrl', url))}`

  test.each([
    ['UTF-16', Buffer.from(`\ufeff${declared('utf-16', 'https://å.example/')}`, 'utf16le')],
    ['a declared code page', Buffer.from(declared('iso-8859-1', 'https://å.example/'), 'latin1')],
  ])('[2.2-files] an application file in %s is read', async (_title, content) => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, content)
    expect((await loadSettings(at.options)).values.AppUrl).toBe('https://å.example/')
  })

  const encrypted = '<S configProtectionProvider="x"><EncryptedData/></S>'
  const configuration = (body: string) => `<configuration>${body}</configuration>`

  test('parts that are not read are events, and do not stop a start that has its address', async () => {
    await using at = await settingsFolders()
    const located = `<location path="."><userSettings>${encrypted}</userSettings></location>`
    const settings = `<applicationSettings><S>${settingText('AppUrl', 'https://app.example/')}</S></applicationSettings>`
    await writeFile(at.configFile, configuration(settings + located))
    await at.writeUserFile(configuration(`<userSettings>${encrypted}</userSettings>`))
    const { events } = await loadSettings(at.options)
    const problems = events.map(event => ('problem' in event ? event.problem : ''))
    expect(problems).toEqual([
      expect.stringContaining('stands in <location>'),
      expect.stringContaining('in the user’s file is encrypted'),
    ])
    const { isRight, files } = await describeSettings(at.options)
    expect([isRight, files.application.problem, files.user.problem]).toEqual([
      false,
      expect.stringContaining('userSettings stands in <location>'),
      expect.stringContaining('is encrypted'),
    ])
  })

  test.each([
    [encrypted, 'AppUrl is not set, and S is encrypted'],
    [
      `<S>${settingText('App_Url', 'https://app.example/')}</S>`,
      'AppUrl is not set, and AppUrl is written App_Url and not read',
    ],
  ])('a start without an address names the part that may hold it', async (part, problem) => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, configuration(`<applicationSettings>${part}</applicationSettings>`))
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringContaining(problem),
    })
  })

  test('a start whose address is in the user’s file says that it has no effect there', async () => {
    await using at = await settingsFolders()
    await at.writeUserFile(userFileText(settingText('AppUrl', 'https://app.example/')))
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      file: at.configFile,
      message: expect.stringContaining(
        'AppUrl is not set, and AppUrl is global and has no effect in the user’s file',
      ),
    })
  })

  test('a setting without effect is a notice and an event', async () => {
    await using at = await settingsFolders()
    await at.writeUserFile(userFileText(settingText('Debug', 'True') + settingText('Zoom', 'large')))
    const { events, notices } = await loadSettings(at.options)
    expect(notices.map(({ setting }) => setting)).toEqual(['Debug', 'Zoom'])
    expect(events).toEqual(notices.map(notice => ({ type: 'setting-ignored', ...notice })))
  })

  test('a damaged application file stops the start, with place and remedy', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, '<configuration>\n<applicationSettings>')
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      line: 2,
      message: expect.stringMatching(/cut off\. Correct or replace the file/),
    })
  })

  test('an invalid value in the application file stops the start, and creates nothing', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, userFileText(settingText('MinimizeOnExit', 'perhaps')))
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringContaining('the setting MinimizeOnExit must be True or False'),
    })
    await expect(readdir(at.options.folders.userFolder)).rejects.toThrow('ENOENT')
  })

  test.skipIf(process.platform === 'win32')(
    'a named pipe in place of the file stops the start without a wait',
    { timeout: 120_000 },
    async () => {
      await using at = await settingsFolders()
      execFileSync('mkfifo', [at.configFile])
      await expect(loadSettings(at.options)).rejects.toMatchObject({
        code: 'ERR_CONFIG_FILE',
        message: expect.stringContaining('is not a file; it must be a file that this user may read'),
      })
    },
  )

  test.skipIf(process.platform === 'win32').each([
    ['file', 0o666],
    ['folder', 0o777],
  ] as const)(
    'a configuration %s that others may change is reported, and the start continues',
    async (of, mode) => {
      await using at = await settingsFolders()
      await writeFile(at.configFile, userFileText(settingText('AppUrl', 'https://app.example/')))
      await chmod(of === 'file' ? at.configFile : at.options.folders.applicationRoot, mode)
      const { events } = await loadSettings(at.options)
      expect(events).toContainEqual({
        type: 'configuration-exposed',
        of,
        problem: 'may be changed by other users (chmod go-w)',
      })
    },
  )

  const unusableFolders: [string, string, (root: string) => string][] = [
    ['below a file', 'ENOTDIR', root => join(root, 'file', 'user')],
    [
      'with a name that is too long',
      process.platform === 'win32' ? 'EINVAL' : 'ENAMETOOLONG',
      root => join(root, 'u'.repeat(300)),
    ],
  ]
  // Wine reports a name that is too long as missing, and Node then tries for ever to make it.
  test.each(isWine ? unusableFolders.slice(0, 1) : unusableFolders)(
    'a user folder %s stops the start with advice',
    async (_title, reason, userFolderIn) => {
      await using at = await settingsFolders()
      const { applicationRoot } = at.options.folders
      await writeFile(join(applicationRoot, 'file'), '')
      const userFolder = userFolderIn(applicationRoot)
      await expect(
        loadSettings({ ...at.options, folders: { applicationRoot, userFolder } }),
      ).rejects.toMatchObject({
        code: 'ERR_CONFIG_FILE',
        file: join(userFolder, settingsVersion, 'user.config'),
        message: expect.stringMatching(`${reason}.*SERVICE_WRAPPER_DATA|${reason}.*may read`),
      })
    },
  )

  // Wine makes no junctions.
  test.skipIf(isWine)('a user file that cannot be created stops the start with advice', async () => {
    await using at = await settingsFolders()
    // Below a dangling link not even an administrator can make a file.
    await symlink(
      join(at.options.folders.applicationRoot, 'nowhere'),
      at.options.folders.userFolder,
      'junction',
    )
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringMatching(/cannot be written \(E[A-Z]+\).*SERVICE_WRAPPER_DATA/),
    })
  })

  test('a file of any size is refused without a full read', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, '<configuration/>')
    await truncate(at.configFile, 3 * 1024 ** 3)
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringContaining('is larger than 1048576 bytes'),
    })
  })
})

const withCulture = (culture: string) =>
  `<configuration><applicationSettings><S>${settingText('Culture', culture)}</S></applicationSettings></configuration>`

test('[2.2-files] settings for everybody are the delivered ones until an installer writes some', async () => {
  await using at = await settingsFolders()
  const found = async () => (await findSettings(at.options)).application
  expect(await found()).toEqual({ state: 'absent', file: at.configFile })
  await writeFile(`${at.configFile}.default`, withCulture('da'))
  expect(await found()).toMatchObject({ state: 'read', file: `${at.configFile}.default` })
  await writeFile(at.configFile, withCulture('nb'))
  expect(await found()).toMatchObject({ state: 'read', file: at.configFile })
})

test('unreadable settings for everybody are not replaced by delivered ones', async () => {
  await using at = await settingsFolders()
  await writeFile(`${at.configFile}.default`, withCulture('da'))
  await writeFile(at.configFile, '<configuration')
  expect((await findSettings(at.options)).application).toMatchObject({
    state: 'damaged',
    file: at.configFile,
  })
})
