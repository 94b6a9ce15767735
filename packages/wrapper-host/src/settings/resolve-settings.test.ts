import { defaultBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from './config-file.ts'
import type { FoundConfigFile } from './find-settings.ts'
import { resolveSettings } from './resolve-settings.ts'

function content(application: Record<string, string>, user: Record<string, string> = {}): ConfigFile {
  return { application: new Map(Object.entries(application)), user: new Map(Object.entries(user)) }
}

function resolved(files: { application?: ConfigFile; user?: ConfigFile; older?: ConfigFile }) {
  const found = (file: string, content?: ConfigFile): FoundConfigFile =>
    content ? { state: 'read', file, text: '', content } : { state: 'absent', file }
  return resolveSettings(defaultBrand, {
    application: found('a', files.application),
    user: found('u', files.user),
    exposure: undefined,
    older: files.older && { version: '1.0.0.0', file: 'o', text: '', content: files.older },
  })
}

describe('resolveSettings', () => {
  test('[2.2-defaults] without files every setting has its default', () => {
    const { values, origins, notices, faults } = resolved({})
    expect(values).toEqual({
      BrowserEngine: 'EoWebBrowser',
      MinimizeOnExit: true,
      CheckForUpdates: true,
      ProtocolProvider: 'Service.Desktop.Legacy.Component, Service.Desktop',
      DistributorName: '',
      Debug: false,
      AppUrl: '{app_url}',
      UpdateUrl: '{webwrapper_site}',
      SsoUrl: '',
      SignInOrigins: [],
      Culture: '',
      WindowPlacement: '',
      Zoom: '',
      LogLevel: 'info',
    })
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
    expect([notices, faults]).toEqual([[], []])
  })

  test('the user’s value wins over the application file, which wins over the default', () => {
    const { values, origins } = resolved({
      application: content({ AppUrl: 'https://a.example' }, { MinimizeOnExit: 'False', Zoom: '2' }),
      user: content({}, { Zoom: '1.5' }),
    })
    expect(values).toMatchObject({ AppUrl: 'https://a.example', MinimizeOnExit: false, Zoom: '1.5' })
    expect(origins).toMatchObject({
      AppUrl: 'application file',
      MinimizeOnExit: 'application file',
      Zoom: 'user file',
    })
  })

  test('without this version’s user file, an older version’s counts', () => {
    const older = content({}, { Zoom: '1.5', MinimizeOnExit: 'False' })
    expect(resolved({ older }).values).toMatchObject({ Zoom: '1.5', MinimizeOnExit: false })
    expect(resolved({ older, user: content({}) }).values).toMatchObject({ Zoom: '', MinimizeOnExit: true })
  })

  test.each(['{app_url}', ' {app_url}\n'])('the placeholder %j sets nothing', text => {
    const { origins, faults } = resolved({ application: content({ AppUrl: text, UpdateUrl: text }) })
    expect(origins).toMatchObject({ AppUrl: 'default', UpdateUrl: 'default' })
    expect(faults).toEqual([])
  })

  test('a placeholder hides nothing in the other section', () => {
    const { values } = resolved({
      application: content({ AppUrl: '{app_url}' }, { AppUrl: 'https://a.example' }),
    })
    expect(values.AppUrl).toBe('https://a.example')
  })

  test.each([
    'AppUrl',
    'ProtocolProvider',
    'DistributorName',
    'Debug',
    'UpdateUrl',
    'SsoUrl',
    'SignInOrigins',
    'Culture',
  ] as const)(
    '[2.2-defaults] the global setting %s has no effect in the user’s file, and is reported',
    name => {
      const { origins, notices } = resolved({ user: content({}, { [name]: 'True' }) })
      expect(origins[name]).toBe('default')
      expect(notices).toEqual([{ setting: name, problem: 'is global and has no effect in the user’s file' }])
    },
  )

  test('an invalid value is a fault in the application file, and ignored in the user’s', () => {
    const bad = content({}, { MinimizeOnExit: 'perhaps' })
    const problem = 'must be True or False'
    expect(resolved({ application: bad }).faults).toEqual([{ setting: 'MinimizeOnExit', problem }])
    const { values, notices } = resolved({ user: bad })
    expect(values.MinimizeOnExit).toBe(true)
    expect(notices).toEqual([{ setting: 'MinimizeOnExit', problem: `in the user’s file ${problem}` }])
  })
})
