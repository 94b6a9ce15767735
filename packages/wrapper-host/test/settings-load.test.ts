import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '../src/settings/load-settings.ts'
import { ConfigFileError } from '../src/settings/read-config-file.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const version = '3.0.0.0'

async function folders() {
  const folder = await temporaryFolder()
  const applicationRoot = join(folder.path, 'root')
  const userFolder = join(folder.path, 'user')
  await mkdir(applicationRoot)
  return {
    options: { brand: defaultBrand, version, folders: { applicationRoot, userFolder } },
    configFile: join(applicationRoot, 'Service.Client.WebWrapper.exe.config'),
    userConfigFolder: join(userFolder, version),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

describe('loadSettings', () => {
  test('[2.2-files] the first launch creates user.config, the next reads it', async () => {
    await using at = await folders()
    await loadSettings(at.options)
    const file = join(at.userConfigFolder, 'user.config')
    const created = await readFile(file, 'utf8')
    expect(created).toContain('<userSettings>')
    await writeFile(
      file,
      '<configuration><userSettings><S><setting name="BrowserEngine"><value>Headless</value></setting></S></userSettings></configuration>',
    )
    expect((await loadSettings(at.options)).values.BrowserEngine).toBe('Headless')
  })

  test('a damaged user.config is set aside and the defaults apply', async () => {
    await using at = await folders()
    await mkdir(at.userConfigFolder, { recursive: true })
    await writeFile(join(at.userConfigFolder, 'user.config'), '<configuration><userSet')
    const now = () => new Date('2026-01-02T03:04:05.678Z')
    expect((await loadSettings({ ...at.options, now })).values.MinimizeOnExit).toBe(true)
    expect((await readdir(at.userConfigFolder)).sort()).toEqual([
      'user.config',
      'user.config.bad-2026-01-02T03-04-05-678Z',
    ])
  })

  test('a damaged file in the application root stops the start and names line and column', async () => {
    await using at = await folders()
    await writeFile(at.configFile, '<configuration>\n  <applicationSettings\n</configuration>')
    const error = await loadSettings(at.options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigFileError)
    expect(error).toMatchObject({ file: at.configFile, line: expect.any(Number), column: expect.any(Number) })
  })

  test('a folder in place of the file in the application root stops the start with what to do', async () => {
    await using at = await folders()
    await mkdir(at.configFile)
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      file: at.configFile,
      message: expect.stringContaining('cannot be read (EISDIR); it must be a file that this user may read'),
    })
  })

  test.each([
    ['below a file', 'ENOTDIR', (root: string) => join(root, 'file', 'user')],
    ['with a name that is too long', 'ENAMETOOLONG', (root: string) => join(root, 'u'.repeat(300))],
  ])('a user folder %s stops the start with what to do', async (_title, reason, userFolderIn) => {
    await using at = await folders()
    const { applicationRoot } = at.options.folders
    await writeFile(join(applicationRoot, 'file'), '')
    const userFolder = userFolderIn(applicationRoot)
    await expect(
      loadSettings({ ...at.options, folders: { applicationRoot, userFolder } }),
    ).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      file: join(userFolder, version, 'user.config'),
      message: expect.stringMatching(`${reason}.*SERVICE_WRAPPER_DATA|${reason}.*may read`),
    })
  })

  test('a user file that cannot be created stops the start with what to do', async () => {
    await using at = await folders()
    await mkdir(join(at.userConfigFolder, `user.config.${process.pid}.tmp`), { recursive: true })
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringMatching(/cannot be written \(EISDIR\).*SERVICE_WRAPPER_DATA/),
    })
  })

  test('a file of any size is refused without being read whole', async () => {
    await using at = await folders()
    await writeFile(at.configFile, '<configuration/>')
    await truncate(at.configFile, 3 * 1024 ** 3)
    await expect(loadSettings(at.options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_FILE',
      message: expect.stringContaining('is larger than 1048576 bytes'),
    })
  })
})
