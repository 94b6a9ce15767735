import { defaultBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { type ConfigFile, ConfigFileError } from './read-config-file.ts'
import { resolveSettings } from './resolve-settings.ts'

function content(application: Record<string, string>, user: Record<string, string> = {}): ConfigFile {
  return { application: new Map(Object.entries(application)), user: new Map(Object.entries(user)) }
}

describe('resolveSettings', () => {
  test('[2.2-defaults] without files every setting has its default', () => {
    const { values, origins, notices } = resolveSettings(defaultBrand, {})
    expect(values).toMatchObject({
      BrowserEngine: 'EoWebBrowser',
      MinimizeOnExit: true,
      CheckForUpdates: true,
      ProtocolProvider: 'Service.Desktop.Legacy.Component, Service.Desktop',
      DistributorName: '',
      Debug: false,
      AppUrl: '{app_url}',
    })
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
    expect(notices).toEqual([])
  })

  test('the user’s own value wins over the application file, which wins over the default', () => {
    const { values, origins } = resolveSettings(defaultBrand, {
      application: {
        file: 'a',
        content: content({ AppUrl: 'https://a.example' }, { MinimizeOnExit: 'False', Zoom: '2' }),
      },
      user: { file: 'u', content: content({}, { Zoom: '1.5' }) },
    })
    expect(values).toMatchObject({ AppUrl: 'https://a.example', MinimizeOnExit: false, Zoom: '1.5' })
    expect(origins).toMatchObject({
      AppUrl: 'application file',
      MinimizeOnExit: 'application file',
      Zoom: 'user file',
    })
  })

  test.each(['AppUrl', 'ProtocolProvider', 'DistributorName', 'Debug'])(
    '[2.2-defaults] the global setting %s has no effect in the user’s file, and is reported',
    name => {
      const { origins, notices } = resolveSettings(defaultBrand, {
        user: { file: 'u', content: content({}, { [name]: 'True' }) },
      })
      expect(origins[name as keyof typeof origins]).toBe('default')
      expect(notices).toEqual([{ setting: name, problem: 'is global and has no effect in the user’s file' }])
    },
  )

  test('an unacceptable value stops the start in the application file, and is passed over in the user’s', () => {
    const bad = content({}, { MinimizeOnExit: 'perhaps' })
    expect(() => resolveSettings(defaultBrand, { application: { file: 'the file', content: bad } })).toThrow(
      ConfigFileError,
    )
    const { values, notices } = resolveSettings(defaultBrand, { user: { file: 'u', content: bad } })
    expect(values.MinimizeOnExit).toBe(true)
    expect(notices).toEqual([
      { setting: 'MinimizeOnExit', problem: 'in the user’s file must be True or False' },
    ])
  })
})
