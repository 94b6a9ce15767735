import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingsFolders, settingText, userFileText } from '../support/settings-folders.ts'

const zoom = (value: string) => userFileText(settingText('Zoom', value))

describe('the first launch of a version', () => {
  test('[2.2-files] takes over the settings of the newest older one, compared by number', async () => {
    await using at = await settingsFolders()
    await at.writeUserFile(zoom('1.1'), '2.9.0.0')
    await at.writeUserFile(zoom('1.2'), '2.10.0.0')
    await at.writeUserFile(zoom('1.3'), '2.2.0.0')
    const { values, events } = await loadSettings(at.options)
    expect(values.Zoom).toBe('1.2')
    expect(events).toEqual([{ type: 'settings-carried-over', fromVersion: '2.10.0.0' }])
    expect((await loadSettings(at.options)).events).toEqual([])
  })

  test('copies the file with its unknown content', async () => {
    await using at = await settingsFolders()
    const text = `\uFEFF<configuration><!-- mine --><userSettings><Old.Name>${settingText('Zoom', '1.5')}${settingText('Unknown', 'x')}</Old.Name></userSettings><other/></configuration>`
    await at.writeUserFile(text, '2.1.4.19787')
    await loadSettings(at.options)
    expect(await readFile(at.userFile, 'utf8')).toBe(text)
    expect(await readFile(at.userFileOf('2.1.4.19787'), 'utf8')).toBe(text)
  })

  test('skips a damaged one, an unreadable one and one without a file', async () => {
    await using at = await settingsFolders()
    await at.writeUserFile(zoom('1.1'), '2.1.0.0')
    await at.writeUserFile('<configuration', '2.2.0.0')
    await mkdir(at.userFileOf('2.3.0.0'), { recursive: true })
    await mkdir(join(at.options.folders.userFolder, '2.4.0.0'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.1')
    expect(await readdir(join(at.options.folders.userFolder, '2.2.0.0'))).toEqual(['user.config'])
  })

  test.each([
    '3.0.0.1',
    '3.1.0.0',
    '10.0.0.0',
    'browser',
    '2.0.0',
    ' 2.0.0.0',
    '2.0.0.0.0',
    '2.0.0.70000',
    'v2.0.0.0',
  ])('takes nothing from the folder %j', async folder => {
    await using at = await settingsFolders()
    await at.writeUserFile(zoom('1.1'), folder)
    const { values, events } = await loadSettings(at.options)
    expect([values.Zoom, events]).toEqual(['', []])
  })

  test('an existing file counts, whatever older ones say', async () => {
    await using at = await settingsFolders()
    await at.writeUserFile(zoom('1.1'), '2.0.0.0')
    await at.writeUserFile(zoom('1.2'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.2')
  })
})
