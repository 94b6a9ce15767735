import { describe, expect, test } from 'vitest'
import { defaultBrand, defineBrand } from './brand.ts'
import { type SettingName, settingsTable } from './settings-table.ts'

const table = settingsTable(defaultBrand)

describe('settingsTable', () => {
  test.each([
    ['BrowserEngine', 'user', 'EoWebBrowser', 'EoWebBrowser'],
    ['MinimizeOnExit', 'user', 'True', true],
    ['HideToTray', 'user', 'False', false],
    ['CheckForUpdates', 'user', 'True', true],
    [
      'ProtocolProvider',
      'global',
      'Service.Desktop.Legacy.Component, Service.Desktop',
      'Service.Desktop.Legacy.Component, Service.Desktop',
    ],
    ['DistributorName', 'global', '', ''],
    ['Debug', 'global', 'False', false],
    ['AppUrl', 'global', '{app_url}', '{app_url}'],
    ['UpdateUrl', 'global', '{webwrapper_site}', '{webwrapper_site}'],
    ['SsoUrl', 'global', '', ''],
    ['SignInOrigins', 'global', '', []],
    ['Culture', 'global', '', ''],
    ['WindowPlacement', 'user', '', ''],
    ['Zoom', 'user', '', ''],
    ['LogLevel', 'user', 'info', 'info'],
  ] as const)(
    '[2.2-defaults] %s is a setting of scope %s with the default %j',
    (name, scope, text, value) => {
      expect(table[name]).toMatchObject({ scope, defaultText: text })
      expect(table[name].parse.parse(text)).toEqual(value)
    },
  )

  test('[2.2-defaults] there are no further settings', () => {
    expect(Object.keys(table)).toHaveLength(17)
  })

  test('the names in defaults are the brand’s', () => {
    const branded = settingsTable(defineBrand({ name: 'Acme', appUrl: 'https://app.example/' }))
    expect(branded.ProtocolProvider.defaultText).toBe('Acme.Desktop.Legacy.Component, Acme.Desktop')
    expect(branded.AppUrl.defaultText).toBe('https://app.example/')
    const byArguments = settingsTable(defineBrand({ defaultProvider: 'arguments' }))
    expect(byArguments.ProtocolProvider.defaultText).toContain('Arguments.Component')
  })

  const cases: [SettingName, string, unknown][] = [
    ['MinimizeOnExit', ' false ', false],
    ['MinimizeOnExit', 'TRUE', true],
    ['MinimizeOnExit', '1', undefined],
    ['Debug', '', undefined],
    ['Browser', ' Edge ', 'edge'],
    ['Browser', String.raw`C:\Acme\Chromium\chrome.exe`, String.raw`C:\Acme\Chromium\chrome.exe`],
    ['Browser', '/opt/acme/chrome', '/opt/acme/chrome'],
    ['Browser', 'firefox', undefined],
    ['Browser', 'bin/chrome', undefined],
    ['Culture', 'nb-NO', 'nb-NO'],
    ['Culture', 'Norwegian (Norway)', undefined],
    ['ProtocolProvider', 'Acme.Journal.Provider, Acme.Journal', 'Acme.Journal.Provider, Acme.Journal'],
    ['ProtocolProvider', 'Acme.Journal.Provider', undefined],
    ['ProtocolProvider', '../evil, ../evil', undefined],
    ['WindowPlacement', '-8,0,1024,768', '-8,0,1024,768'],
    ['WindowPlacement', '0,0,1024', undefined],
    ['Zoom', '1.25', '1.25'],
    ['Zoom', 'large', undefined],
    ['Zoom', '0', undefined],
    ['Zoom', '5', '5'],
    ['Zoom', '5.001', undefined],
    ['LogLevel', ' Debug ', 'debug'],
    ['LogLevel', 'verbose', undefined],
    ['UpdateUrl', '{webwrapper_site}', '{webwrapper_site}'],
    ['UpdateUrl', 'ftp://updates.example', undefined],
    ['SsoUrl', 'https://sso.example/base', 'https://sso.example/base'],
    ['SsoUrl', 'sso.example', undefined],
    [
      'SignInOrigins',
      ' https://Login.example/  https://idp.example:8443\n',
      ['https://login.example', 'https://idp.example:8443'],
    ],
    ['SignInOrigins', 'http://localhost:4000', ['http://localhost:4000']],
    ['SignInOrigins', 'http://login.example', undefined],
    ['SignInOrigins', 'https://login.example/path', undefined],
    ['SignInOrigins', 'https://*.example', undefined],
    ['SignInOrigins', 'https://user@login.example', undefined],
    ['SignInOrigins', 'https://login.example,https://idp.example', undefined],
    ['SignInOrigins', 'data:text/html,x', undefined],
  ]
  test.each(cases)('%s set to %j is read as %j', (name, text, value) => {
    expect(table[name].parse.safeParse(text).data).toEqual(value)
  })
})
