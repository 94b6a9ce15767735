import { readFile, writeFile } from 'node:fs/promises'
import { defineBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { describeSettings } from '../../src/settings/describe-settings.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { oldApplicationFile, oldUserFile } from '../support/old-configuration.ts'
import { settingsFolders } from '../support/settings-folders.ts'

const records = 'Acme.Desktop.Records.Component, Acme.Desktop'

const options = {
  application: 'Service.Client.WebWrapper',
  name: 'Acme',
  updateUrl: 'https://get.acme.example/wrapper/',
  providers: { legacyXml: ['Acme.Desktop.Legacy.Component, Acme.Desktop', records] },
  defaultEngines: ['WebViewBrowser'],
} as const

async function oldFolders(change: Parameters<typeof defineBrand>[0] = {}) {
  const at = await settingsFolders()
  await writeFile(at.configFile, oldApplicationFile('https://app.acme.example/'))
  return { ...at, options: { ...at.options, brand: defineBrand({ ...options, ...change }) } }
}

const unknown = ['SignonWithWindowsUser', 'AdfsUrl', 'Maximized', 'RememberLoggedInUser']

test('[2.2-files] an unmodified file of an older wrapper has its effect', async () => {
  await using at = await oldFolders()
  const { values, events, faults } = await loadSettings(at.options)
  expect(faults).toEqual([])
  expect(values).toMatchObject({
    AppUrl: 'https://app.acme.example/',
    ProtocolProvider: records,
    BrowserEngine: 'EoWebBrowser',
    CheckForUpdates: false,
    UpdateUrl: 'https://get.acme.example/wrapper/',
    LogLevel: 'debug',
    WindowPlacement: '',
    Zoom: '1',
  })
  expect(events).toEqual([{ type: 'settings-unknown', names: unknown.join(', ') }])
})

test('a user’s file of an older wrapper counts, and no value of an unknown setting is told', async () => {
  await using at = await oldFolders()
  await at.writeUserFile(oldUserFile)
  const loaded = await loadSettings(at.options)
  expect(loaded.values).toMatchObject({
    WindowPlacement: '-8,41,1024,768',
    Zoom: '1.333',
    UpdateUrl: 'https://get.acme.example/wrapper/clinic',
  })
  expect(loaded.events).toEqual([{ type: 'settings-unknown', names: [...unknown, 'Login'].join(', ') }])
  const report = await describeSettings(at.options)
  expect(report).toMatchObject({ isRight: true, unknown: [...unknown, 'Login'] })
  expect(JSON.stringify([loaded.events, report])).not.toContain('AQAA')
  await loaded.save({ Zoom: '2' })
  expect((await loadSettings(at.options)).values.Zoom).toBe('2')
  expect(await readFile(at.userFile, 'utf8')).toContain('AQAA')
})

test('a brand without readsOldSettings reads none of them', async () => {
  await using at = await oldFolders({ readsOldSettings: false })
  await at.writeUserFile(oldUserFile)
  const { values, unknown } = await loadSettings(at.options)
  expect(values).toMatchObject({
    LogLevel: 'info',
    WindowPlacement: '',
    Zoom: '',
    UpdateUrl: options.updateUrl,
  })
  expect(unknown).toEqual(expect.arrayContaining(['Log', 'Top', 'ZoomFactor', 'UpdatePath']))
})
