import { readFile, writeFile } from 'node:fs/promises'
import { defineBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { describeSettings } from '../../src/settings/describe-settings.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingsFolders } from '../support/settings-folders.ts'

/**
 * Configuration files as a wrapper of 2016 left them: byte-order mark, CRLF, tabs, other sections, empty values, and a
 * transformation's attributes.
 */
const byteOrderMark = '\uFEFF'

const asOnWindows = (text: string) => byteOrderMark + text.replaceAll('\n', '\r\n')

/** The file in the application root, with the address of a web app. */
function oldApplicationFile(appUrl: string): string {
  return asOnWindows(`<?xml version="1.0" encoding="utf-8" ?>
<!-- Acme Desktop -->
<configuration xmlns:xdt="http://schemas.microsoft.com/XML-Document-Transform">
	<configSections>
		<sectionGroup name="userSettings" type="System.Configuration.UserSettingsGroup, System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089">
			<section name="Acme.Client.WebWrapper.Properties.Settings" type="System.Configuration.ClientSettingsSection, System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089" allowExeDefinition="MachineToLocalUser" requirePermission="false"/>
		</sectionGroup>
		<sectionGroup name="applicationSettings" type="System.Configuration.ApplicationSettingsGroup, System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089">
			<section name="Acme.Client.WebWrapper.Properties.Settings" type="System.Configuration.ClientSettingsSection, System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089" requirePermission="false"/>
		</sectionGroup>
	</configSections>
	<startup useLegacyV2RuntimeActivationPolicy="true">
		<supportedRuntime version="v4.0" sku=".NETFramework,Version=v4.5.2"/>
	</startup>
	<userSettings>
		<Acme.Client.WebWrapper.Properties.Settings>
			<setting name="Top" serializeAs="String"><value>0</value></setting>
			<setting name="Left" serializeAs="String"><value>0</value></setting>
			<setting name="Height" serializeAs="String"><value>768</value></setting>
			<setting name="Width" serializeAs="String"><value>1024</value></setting>
			<setting name="Maximized" serializeAs="String"><value>False</value></setting>
			<setting name="MinimizeOnExit" serializeAs="String"><value>True</value></setting>
			<setting name="CheckForUpdates" serializeAs="String"><value>False</value></setting>
			<setting name="UpdatePath" serializeAs="String"><value /></setting>
			<setting name="ZoomFactor" serializeAs="String"><value>1</value></setting>
			<setting name="BrowserEngine" serializeAs="String"><value>WebViewBrowser</value></setting>
			<setting name="RememberLoggedInUser" serializeAs="String"><value>True</value></setting>
		</Acme.Client.WebWrapper.Properties.Settings>
	</userSettings>
	<applicationSettings>
		<Acme.Client.WebWrapper.Properties.Settings>
			<setting name="AppUrl" serializeAs="String" xdt:Transform="Replace" xdt:Locator="Match(name)">
				<value>${appUrl}</value>
			</setting>
			<setting name="ProtocolProvider" serializeAs="String">
				<value>Acme.Desktop.Records.Component, Acme.Desktop</value>
			</setting>
			<setting name="DistributorName" serializeAs="String">
				<value />
			</setting>
			<setting name="Debug" serializeAs="String"><value>False</value></setting>
			<setting name="Log" serializeAs="String"><value>True</value></setting>
			<setting name="SignonWithWindowsUser" serializeAs="String"><value>False</value></setting>
			<setting name="AdfsUrl" serializeAs="String"><value /></setting>
		</Acme.Client.WebWrapper.Properties.Settings>
	</applicationSettings>
	<runtime><loadFromRemoteSources enabled="true"/></runtime>
</configuration>
`)
}

/** A user's file: the changed values only, and a credential that nothing of ours may repeat. */
const oldUserFile = asOnWindows(`<?xml version="1.0" encoding="utf-8"?>
<configuration>
    <userSettings>
        <Acme.Client.WebWrapper.Properties.Settings>
            <setting name="Top" serializeAs="String">
                <value>40.5</value>
            </setting>
            <setting name="Left" serializeAs="String">
                <value>-8</value>
            </setting>
            <setting name="ZoomFactor" serializeAs="String">
                <value>1.3333333333</value>
            </setting>
            <setting name="UpdatePath" serializeAs="String">
                <value>clinic</value>
            </setting>
            <setting name="Login" serializeAs="String">
                <value>AQAAANCMnd8BFdERjHoAwE</value>
            </setting>
        </Acme.Client.WebWrapper.Properties.Settings>
    </userSettings>
</configuration>
`)

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
