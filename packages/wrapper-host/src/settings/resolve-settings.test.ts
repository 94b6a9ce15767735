import { defaultBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile, FoundConfigFile } from './config-file.ts'
import { type FoundPolicies, readPolicies } from './policies.ts'
import { dateCultureOf, resolveSettings } from './resolve-settings.ts'

function content(application: Record<string, string>, user: Record<string, string> = {}): ConfigFile {
  return {
    application: new Map(Object.entries(application)),
    user: new Map(Object.entries(user)),
    notices: [],
  }
}

function resolved(files: {
  application?: ConfigFile
  user?: ConfigFile
  older?: ConfigFile
  policies?: FoundPolicies
}) {
  const found = (file: string, content?: ConfigFile): FoundConfigFile =>
    content ? { state: 'read', file, text: '', content } : { state: 'absent', file }
  return resolveSettings(defaultBrand, {
    policies: files.policies ?? readPolicies(defaultBrand, undefined),
    application: found('a', files.application),
    user: found('u', files.user),
    exposure: undefined,
    older: files.older && {
      version: '1.0.0.0',
      isOfOlderWrapper: false,
      file: 'o',
      text: '',
      content: files.older,
    },
  })
}

describe('resolveSettings', () => {
  test('[2.2-defaults] without files every setting has its default', () => {
    const { values, origins, notices, faults } = resolved({})
    expect(values).toEqual({
      BrowserEngine: 'EoWebBrowser',
      Browser: '',
      MinimizeOnExit: true,
      HideToTray: false,
      CheckForUpdates: true,
      ProtocolProvider: 'Service.Desktop.Legacy.Component, Service.Desktop',
      DistributorName: '',
      Debug: false,
      AppUrl: '{app_url}',
      UpdateUrl: '{webwrapper_site}',
      SsoUrl: '',
      SignInOrigins: [],
      Culture: '',
      Kiosk: false,
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

  test.each(['norsk', 'xx-YY'])('a Culture that nobody knows, %s, is reported with the remedy', Culture => {
    const { values, notices, faults } = resolved({ application: content({ Culture }) })
    expect({ culture: values.Culture, faults }).toEqual({ culture: Culture, faults: [] })
    expect(dateCultureOf(values)).toBe('und')
    expect(notices).toEqual([
      { setting: 'Culture', problem: expect.stringContaining('write a language tag such as nb-NO') },
    ])
  })

  test.each(['', 'nb-NO', 'no', 'en-150', 'und'])('the Culture %j is right', Culture => {
    const { values, notices } = resolved({ application: content({ Culture }) })
    expect(notices).toEqual([])
    expect(dateCultureOf(values)).toBe(Culture || undefined)
  })

  test.each([
    ['SsoUrl', 'https://sso.example/partner/payload', 'must end before /partner/payload'],
    ['SsoUrl', 'http://sso.example', 'must be an https address'],
    ['SsoUrl', 'https://sso.example/?tenant=1', 'without user name, query and fragment'],
    ['UpdateUrl', 'http://get.example', 'must be an https address'],
    ['UpdateUrl', 'https://get.example/msi/', 'must end before /msi'],
  ])('%s set to %s, which never works, is reported', (setting, text, problem) => {
    const { notices, faults } = resolved({ application: content({ [setting]: text }) })
    expect(notices).toEqual([{ setting, problem: expect.stringContaining(problem) }])
    expect(faults).toEqual([])
  })

  test('an address of this machine, as the window reads it, is right', () => {
    expect(resolved({ application: content({ SsoUrl: 'http://sso.localhost:5173' }) }).notices).toEqual([])
  })

  test('an empty value sets nothing where its setting takes none', () => {
    const empty = { AppUrl: '', BrowserEngine: ' ', Debug: '', ProtocolProvider: '' }
    const { origins, faults } = resolved({ application: content({ ...empty, DistributorName: '' }) })
    for (const name of Object.keys(empty)) expect(origins).toMatchObject({ [name]: 'default' })
    expect(origins.DistributorName).toBe('application file')
    expect(faults).toEqual([])
  })

  const moved = { Left: '10', Top: '20', Width: '800', Height: '600' }
  test.each<[string, Record<string, string>, object]>([
    ['a placement', moved, { WindowPlacement: '10,20,800,600' }],
    ['the old default placement', { ...moved, ...{ Left: '0', Top: '0', Width: '1024', Height: '768' } }, {}],
    ['a minimized window', { ...moved, Left: '-32000', Top: '-32000' }, {}],
    ['a placement beside ours', { ...moved, WindowPlacement: '1,2,3,4' }, { WindowPlacement: '1,2,3,4' }],
    ['a zoom', { ZoomFactor: '0.9' }, { Zoom: '0.9' }],
    ['a log', { Log: 'True' }, { LogLevel: 'debug' }],
    ['no log', { Log: 'False' }, { LogLevel: 'info' }],
    ['a log beside ours', { Log: 'True', LogLevel: 'off' }, { LogLevel: 'off' }],
    [
      'an update folder',
      { UpdatePath: '\\clinic\\north/' },
      { UpdateUrl: 'https://get.example/a/clinic/north' },
    ],
  ])('of an older wrapper reads %s', (_, texts, values) => {
    const application = content({ UpdateUrl: 'https://get.example/a' }, texts)
    const read = resolved({ application })
    expect(read.values).toMatchObject({ WindowPlacement: '', Zoom: '', ...values })
    expect([read.faults, read.notices, read.unknown]).toEqual([[], [], []])
  })

  test.each<[string, Record<string, string>]>([
    ['WindowPlacement', { Left: '10', Top: '20' }],
    ['WindowPlacement', { ...moved, Width: 'wide' }],
    ['Zoom', { ZoomFactor: '100' }],
    ['LogLevel', { Log: 'yes' }],
    ['UpdateUrl', { UpdatePath: '../other' }],
    ['UpdateUrl', { UpdatePath: 'https://other.example' }],
  ])('an old value that %s cannot read is reported: %j', (setting, texts) => {
    const application = content({ UpdateUrl: 'https://get.example/a' }, texts)
    const { notices, faults, origins, values } = resolved({ application })
    expect([notices.map(notice => notice.setting), faults]).toEqual([[setting], []])
    if (setting !== 'UpdateUrl') expect(origins).toMatchObject({ [setting]: 'default' })
    expect(values.UpdateUrl).toBe('https://get.example/a')
  })

  test.each<[string, Parameters<typeof resolved>[0], string]>([
    ['a policy', { application: content({ UpdatePath: 'north' }) }, 'https://policy.example/a'],
    [
      'the application file',
      {
        application: content({ UpdateUrl: 'https://get.example/a' }),
        user: content({}, { UpdatePath: 'x' }),
      },
      'https://get.example/a',
    ],
  ])('an old update folder of a weaker place changes none of %s', (place, files, UpdateUrl) => {
    const machine = new Map(place === 'a policy' ? [['UpdateUrl', UpdateUrl]] : [])
    const { values, notices } = resolved({ ...files, policies: { machine, user: new Map(), notices: [] } })
    expect(values).toMatchObject({ UpdateUrl })
    expect(notices).toMatchObject([{ setting: 'UpdateUrl', problem: expect.stringContaining('UpdatePath') }])
  })

  test('the machine’s policy wins over the user’s, which wins over both files; an invalid one is reported', () => {
    const [machine, user] = [
      { AppUrl: 'https://m.example/', Zoom: '2' },
      { Zoom: '3', LogLevel: 'debug' },
    ]
    const { values, origins, notices, faults } = resolved({
      application: content({ AppUrl: 'https://a.example/', Culture: 'sv-SE' }),
      user: content({}, { Zoom: '1.5', LogLevel: 'off', MinimizeOnExit: 'False' }),
      policies: {
        machine: new Map(Object.entries({ ...machine, Culture: 'not a tag', MinimizeOnExit: '' })),
        user: new Map(Object.entries(user)),
        notices: [],
      },
    })
    // What the machine's policy names is not the user's to decide.
    const others = { LogLevel: 'debug', Culture: 'sv-SE', MinimizeOnExit: true }
    expect(values).toMatchObject({ ...machine, ...others })
    expect(origins).toMatchObject({
      AppUrl: 'machine policy',
      Zoom: 'machine policy',
      LogLevel: 'user policy',
    })
    const problem = 'in the policy of the machine must be empty or a language tag such as nb-NO'
    expect(faults).toEqual([])
    const ofSwitch = 'in the policy of the machine must be True or False'
    const expected = [
      { setting: 'Culture', problem },
      { setting: 'MinimizeOnExit', problem: ofSwitch },
    ]
    expect(new Set(notices)).toEqual(new Set(expected))
  })

  test('an invalid value is a fault in the application file, and ignored in the user’s', () => {
    const bad = content({}, { MinimizeOnExit: 'perhaps' })
    const problem = 'must be True or False'
    expect(resolved({ application: bad }).faults).toEqual([{ setting: 'MinimizeOnExit', problem }])
    const { values, notices } = resolved({ user: bad })
    expect(values.MinimizeOnExit).toBe(true)
    expect(notices).toEqual([{ setting: 'MinimizeOnExit', problem: `in the user’s file ${problem}` }])
  })
})
