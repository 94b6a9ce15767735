import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { describeSettings } from '../../src/settings/describe-settings.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingText, temporaryUserFolder, userFileText } from '../support/settings-folders.ts'

const zoom = (value: string) => userFileText(settingText('Zoom', value))
const hash = 'xq0v4iwrmu1kqdwt3ya2zcbbfnc5o0id'
const program = `Service.Client.WebWrapper_Url_${hash}`

/** The folder of the system for local application data, with an older wrapper's files in it. */
async function machine(change: Parameters<typeof defineBrand>[0] = {}) {
  const brand = defineBrand(change)
  const at = await temporaryUserFolder(brand)
  return {
    ...at,
    options: { ...at.options, brand },
    async write(path: string, content: string | Uint8Array): Promise<string> {
      const file = join(at.localData, path, 'user.config')
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
  }
}

describe('[2.2-files] the user’s file that .NET kept for an older wrapper', () => {
  test.each([
    `Service/Service.Client.WebWrapper_Url_${hash}`,
    `Service/Service.Client.WebWrapper_StrongName_${hash}`,
    `Service/Service.Client.WebWrapper_Path_${hash}`,
    `Service/service.client.webwrapper_Url_${hash}`,
  ])('is taken over from %s', async folder => {
    await using at = await machine()
    const file = await at.write(`${folder}/2.1.4.19787`, zoom('1.5'))
    expect((await describeSettings(at.options)).files.user).toMatchObject({
      state: 'absent',
      takenOverFrom: '2.1.4.19787',
    })
    const { values, events } = await loadSettings(at.options)
    expect(values.Zoom).toBe('1.5')
    expect(events).toEqual([{ type: 'settings-carried-over', fromVersion: '2.1.4.19787' }])
    expect(await readFile(at.userFile, 'utf8')).toBe(zoom('1.5'))
    expect(await readFile(file, 'utf8')).toBe(zoom('1.5'))
  })

  test('is found under the executable’s name, with the values that .NET writes as XML', async () => {
    await using at = await machine()
    const text = `<configuration>
  <configSections/>
  <userSettings><Service.Client.WebWrapper.Properties.Settings>
  <setting name="BrowserEngine" serializeAs="Xml">
    <value>
<string>Headless</string></value>
  </setting>
  <setting name="ZoomFactor" serializeAs="String">
    <value>1.5</value>
  </setting>
</Service.Client.WebWrapper.Properties.Settings></userSettings>
</configuration>`
    await at.write('Service/Service.Client.WebWrapper.exe_Url_63abef6079/2.1.0.0', text)
    expect((await loadSettings(at.options)).values).toMatchObject({ BrowserEngine: 'Headless', Zoom: '1.5' })
  })

  test('is found under the names that .NET makes of longer ones', async () => {
    await using at = await machine({
      vendor: 'Acme Health and Rehabilitation',
      application: 'Acme.Rehabilitation.Desktop.Wrapper',
    })
    await at.write(`Acme_Health_and_Rehabilit/Acme.Rehabilitation.Deskt_Url_${hash}/2.0.0.0`, zoom('1.5'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
  })

  test('is that of the newest version, by number and over all hashes; of two the one that was changed last', async () => {
    await using at = await machine()
    await at.write(`Service/${program}/2.9.0.0`, zoom('1.1'))
    const first = await at.write(`Service/Service.Client.WebWrapper_Url_aaaa/2.10.0.0`, zoom('1.2'))
    await at.write(`Service/Service.Client.WebWrapper_Url_bbbb/2.10.0.0`, zoom('1.3'))
    await at.write(`Service/${program}/2.2.0.0`, zoom('1.4'))
    await utimes(first, new Date(), new Date('2015-01-01'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.3')
  })

  test('is taken over once: a user who deletes the settings does not get them again', async () => {
    await using at = await machine()
    await at.write(`Service/${program}/2.1.0.0`, zoom('1.5'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
    await rm(dirname(at.userFile), { recursive: true })
    const { values, events } = await loadSettings(at.options)
    expect([values.Zoom, events]).toEqual(['', []])
    expect((await describeSettings(at.options)).files.user.takenOverFrom).toBeUndefined()
  })

  test('gives way to any file of this wrapper, of an older version too', async () => {
    await using at = await machine()
    await at.write(`Service/${program}/2.9.0.0`, zoom('1.5'))
    await at.write('Service/Service.Client.WebWrapper/2.0.0.0', zoom('1.6'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.6')
    await at.write('Service/Service.Client.WebWrapper/3.0.0.0', zoom('1.7'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.7')
  })

  test('in UTF-16, with groups of other libraries and old names, has its effect and is kept', async () => {
    await using at = await machine()
    const group = 'Acme.Client.WebWrapper.Properties.Settings'
    const text = `\ufeff<?xml version="1.0" encoding="utf-16"?><configuration><userSettings><Other.Library>${settingText('Zoom', '4')}</Other.Library><${group}>${settingText('ZoomFactor', '1.5')}</${group}></userSettings></configuration>`
    await at.write(`Service/${program}/2.9.0.0`, Buffer.from(text, 'utf16le'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
    expect(await readFile(at.userFile, 'utf8')).toBe(text.replace('utf-16', 'utf-8'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('1.5')
  })

  test.each([
    `Service/Other.exe_Url_${hash}/2.0.0.0`,
    `Service/Service.Client.WebWrapperX_Url_${hash}/2.0.0.0`,
    `Service/Service.Client.WebWrapper_Zone_${hash}/2.0.0.0`,
    `Service/Service.Client.WebWrapper_Url_/2.0.0.0`,
    `Service/${program}/2.0`,
    `Other/${program}/2.0.0.0`,
  ])('is not looked for in %s', async folder => {
    await using at = await machine()
    await at.write(folder, zoom('1.5'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('')
  })

  test.skipIf(process.platform === 'win32')('is not looked for behind a link', async () => {
    await using at = await machine()
    await at.write(`Elsewhere/${program}/2.0.0.0`, zoom('1.5'))
    await mkdir(join(at.localData, 'Service'), { recursive: true })
    await symlink(join(at.localData, 'Elsewhere', program), join(at.localData, 'Service', program))
    expect((await loadSettings(at.options)).values.Zoom).toBe('')
  })

  test('does not count for a brand that reads no old settings', async () => {
    await using at = await machine({ readsOldSettings: false })
    await at.write(`Service/${program}/2.1.0.0`, zoom('1.5'))
    expect((await loadSettings(at.options)).values.Zoom).toBe('')
  })
})
