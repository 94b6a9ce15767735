import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { memoryTerminal } from '@service-link/terminal/testing'
import { describe, expect, test, vi } from 'vitest'
import { runSubcommand } from '../../src/cli/subcommands.ts'
import { describeSettings, settingsText } from '../../src/settings/describe-settings.ts'
import { settingsFolders, settingText, userFileText } from '../support/settings-folders.ts'

type Folders = Awaited<ReturnType<typeof settingsFolders>>

/** Variables that have a wrapper use the folders of a test. */
function environmentOf({ options: { folders } }: Folders) {
  return { SERVICE_WRAPPER_ROOT: folders.applicationRoot, SERVICE_WRAPPER_DATA: folders.userFolder }
}

async function settings(at: Folders, argv: readonly string[] = []) {
  for (const [name, value] of Object.entries(environmentOf(at))) vi.stubEnv(name, value)
  const terminal = memoryTerminal()
  const identity = { brand: defaultBrand, version: '3.0.0.0', programName: 'service-webwrapper' }
  const exitCode = await runSubcommand(['settings', ...argv], identity, terminal)
  vi.unstubAllEnvs()
  return { output: terminal.printed(), errors: terminal.told(), exitCode }
}

/** All paths below a folder, with content and time of the last change. */
async function snapshot(folder: string): Promise<readonly unknown[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return await Promise.all(
    entries.map(async entry => {
      const path = join(entry.parentPath, entry.name)
      const { mtimeNs } = await stat(path, { bigint: true })
      return [path, mtimeNs, entry.isFile() ? await readFile(path, 'utf8') : '']
    }),
  )
}

const appUrl = userFileText(settingText('AppUrl', 'https://app.example/'))

describe('service-webwrapper settings', () => {
  test('[2.2-files] prints value, scope, origin and file of each setting, and changes nothing', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, appUrl)
    await at.writeUserFile(userFileText(settingText('Zoom', '1.5') + settingText('Colour', 'red')))
    const folder = join(at.options.folders.applicationRoot, '..')
    const before = await snapshot(folder)
    const { output, exitCode } = await settings(at, ['--json'])
    const report = JSON.parse(output)
    expect(report).toMatchObject({
      application: 'Service.Client.WebWrapper',
      version: '3.0.0.0',
      files: {
        application: { path: at.configFile, state: 'read' },
        user: { path: at.userFile, state: 'read' },
      },
      unknown: ['Colour'],
      isRight: true,
    })
    const byName = Object.fromEntries(
      report.settings.map((setting: { name: string }) => [setting.name, setting]),
    )
    expect(Object.keys(byName)).toHaveLength(17)
    expect(byName.AppUrl).toMatchObject({
      scope: 'global',
      value: 'https://app.example/',
      default: '{app_url}',
      origin: 'application file',
      file: at.configFile,
    })
    expect(byName.Zoom).toMatchObject({ scope: 'user', value: '1.5', origin: 'user file', file: at.userFile })
    expect(byName.MinimizeOnExit).toMatchObject({ value: true, default: true, origin: 'default' })
    expect(byName.MinimizeOnExit).not.toHaveProperty('file')
    expect(exitCode).toBe(0)
    expect(await snapshot(folder)).toEqual(before)
  })

  test('prints an aligned table for people', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, appUrl)
    await at.writeUserFile(userFileText(settingText('MinimizeOnExit', 'False')))
    const { output, errors, exitCode } = await settings(at)
    const lines = output.split('\n')
    const header = lines.find(line => line.startsWith('Setting')) ?? ''
    const row = lines.find(line => line.startsWith('MinimizeOnExit')) ?? ''
    for (const [title, cell] of [
      ['Value', 'False'],
      ['From', 'user file'],
      ['Scope', 'user'],
      ['Default', 'True'],
    ] as const)
      expect(row.slice(header.indexOf(title))).toMatch(new RegExp(`^${cell}(  |$)`))
    expect(output).toContain(at.configFile)
    expect(output).toContain(at.userFile)
    expect(output).not.toContain('What is wrong')
    expect([errors, exitCode]).toEqual(['', 0])
  })

  test('announces the settings that the next start takes over', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, appUrl)
    await at.writeUserFile(userFileText(settingText('Zoom', '1.5')), '2.9.0.0')
    const report = await describeSettings(at.options)
    expect(report.files.user).toEqual({ path: at.userFile, state: 'absent', takenOverFrom: '2.9.0.0' })
    expect(report.settings).toContainEqual(
      expect.objectContaining({ name: 'Zoom', value: '1.5', file: at.userFileOf('2.9.0.0') }),
    )
    expect(settingsText(report)).toContain('not there; the next start takes over that of 2.9.0.0')
  })

  test.each<[string, (at: Folders) => Promise<void>, string]>([
    [
      'a global setting in the user’s file',
      at => at.writeUserFile(userFileText(settingText('AppUrl', 'https://evil.example'))),
      'AppUrl is global and has no effect in the user’s file',
    ],
    [
      'a misspelled setting',
      at => at.writeUserFile(userFileText(settingText('MinimiseOnExit', 'True'))),
      'MinimizeOnExit in the user’s file is written MinimiseOnExit and not read',
    ],
    [
      'a provider without its module',
      at =>
        writeFile(
          at.configFile,
          userFileText(settingText('ProtocolProvider', 'Acme.Journal, Acme.Journal')).replaceAll(
            'userSettings',
            'applicationSettings',
          ),
        ),
      'ProtocolProvider names a provider that is not there',
    ],
    ['no address of the web app', async () => undefined, 'AppUrl is not set to an http or https address'],
  ])('for %s it reports the fault', async (_title, prepare, problem) => {
    await using at = await settingsFolders()
    await prepare(at)
    const report = await describeSettings(at.options)
    expect(report.isRight).toBe(false)
    expect(settingsText(report)).toContain(problem)
  })

  test('ends with 1 when something is wrong', async () => {
    await using at = await settingsFolders()
    const { output, errors, exitCode } = await settings(at)
    expect(output).toContain('What is wrong')
    expect([errors, exitCode]).toEqual(['', 1])
  })

  test.each([['--json'], []])('shows no credentials of an address (%j)', async (...argv: string[]) => {
    await using at = await settingsFolders()
    const secrets = 'https://svc:hunter2@app.example/start?k=s3cret#t0ken'
    await writeFile(
      at.configFile,
      userFileText(
        settingText('AppUrl', secrets) +
          settingText('UpdateUrl', 'https:svc@elsewhere:hunter2@updates.example') +
          settingText('SsoUrl', 'https:\\\\svc:hunter2@sso.example'),
      ).replaceAll('userSettings', 'applicationSettings'),
    )
    const { output } = await settings(at, argv)
    expect(output).toContain('https://…@app.example/start?…#…')
    expect(output).toContain('https:…@updates.example')
    for (const secret of ['svc', 'hunter2', 's3cret', 't0ken']) expect(output).not.toContain(secret)
  })

  test('a file’s text cannot drive the terminal', async () => {
    await using at = await settingsFolders()
    await writeFile(at.configFile, userFileText(settingText('DistributorName', 'Acme&#x9b;2J&#10;x')))
    expect(settingsText(await describeSettings(at.options))).toContain('Acme 2J x')
  })
})
