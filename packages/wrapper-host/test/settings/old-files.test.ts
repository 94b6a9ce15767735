import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { describeSettings } from '../../src/settings/describe-settings.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { wrapperVersion } from '../../src/settings/wrapper-folders.ts'
import { startTestWrapper } from '../../src/testing/index.ts'
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

test('[2.2-files] a wrapper starts with unmodified files, and its log names what has no effect', async () => {
  const brand = defineBrand(options)
  await using wrapper = await startTestWrapper({
    brand,
    async prepare({ applicationRoot, userFolder }) {
      await mkdir(join(userFolder, wrapperVersion), { recursive: true })
      await writeFile(join(userFolder, wrapperVersion, 'user.config'), oldUserFile)
      await writeFile(
        join(applicationRoot, brand.configFile),
        oldApplicationFile('https://app.acme.example/'),
      )
      await writeFile(
        join(applicationRoot, 'input.xml'),
        '<acmeinput><source_customerno>4711</source_customerno><firstname>Kari</firstname><lastname>Nordmann</lastname><born>1980-04-03</born></acmeinput>',
      )
    },
  })
  const { applicationRoot, userFolder } = wrapper.folders
  expect(await wrapper.launch(join(applicationRoot, 'input.xml'), 'wait=true')).toMatchObject({
    status: 'completed',
  })
  expect(wrapper.calls).toMatchObject([{ handler: 'selectPerson', args: { customId: '4711' } }])
  const log = await readFile(join(userFolder, 'logs/wrapper.log'), 'utf8')
  expect(log.match(/"event":"settings-unknown"/g)).toHaveLength(1)
  expect(log).toContain('"names":"SignonWithWindowsUser, AdfsUrl, Maximized, RememberLoggedInUser, Login"')
  expect(log + wrapper.notices.join()).not.toContain('AQAA')
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
