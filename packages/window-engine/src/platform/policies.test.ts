import { readFile } from 'node:fs/promises'
import type { Registry, RegistryHive } from '@service-link/protocol-core/windows'
import { describe, expect, it } from 'vitest'
import { policyCases, policyCaseUrl } from '../../test/support/policy-cases.ts'
import { familyOf } from './browser-places.ts'
import { findPolicyProblems, type PolicyValue, policyTable } from './policies.ts'
import { readRegistryPolicies } from './windows/policies.ts'

const found = (values: Readonly<Record<string, unknown>>, url?: string) =>
  findPolicyProblems(
    Object.entries(values).map(([name, value]) => ({ name, value: value as PolicyValue, place: 'here' })),
    { url },
  ).map(({ name }) => name)

describe('the policies that keep a browser from drawing the window', () => {
  const url = 'https://app.example:8443/start/page?x=1'

  it.each([
    ['*', true],
    ['app.example', true],
    ['example', true],
    ['.app.example', true],
    ['other.example', false],
    ['pp.example', false],
    ['.example', false],
    ['https://app.example', true],
    ['http://*', false],
    ['https://*', true],
    ['app.example:8443', true],
    ['app.example:443', false],
    ['app.example/start', true],
    ['app.example/other', false],
    ['javascript://*', false],
    ['about:*', false],
  ])('are those whose pattern matches the address: %s', (pattern, isMatch) => {
    expect(found({ URLBlocklist: [pattern] }, url)).toEqual(isMatch ? ['URLBlocklist'] : [])
  })

  // The deep tests try the same with a browser.
  it.each(policyCases)('are those that forbid the address: %j', (policies, name) => {
    expect(found(policies, policyCaseUrl)).toEqual(name === '' ? [] : [name])
  })

  it('are not those that make an exception', () => {
    expect(found({ URLBlocklist: ['*'], URLAllowlist: ['app.example'] }, url)).toEqual([])
    expect(found({ URLBlocklist: ['*'], URLAllowlist: ['app.example'] })).toEqual(['URLBlocklist'])
    expect(found({ DefaultJavaScriptSetting: 2, JavaScriptAllowedForUrls: ['[*.]example'] }, url)).toEqual([])
    const session = { DefaultCookiesSetting: 2, CookiesSessionOnlyForUrls: ['https://app.example:8443'] }
    expect(found(session, url)).toEqual([])
  })

  it.each([
    ['*', 'app.example', false],
    ['example', 'app.example', false],
    ['app.example', 'app.example', false],
    ['app.example', 'example', true],
    ['app.example/start', 'app.example', true],
    ['.app.example', 'app.example/start', true],
  ])('are those that say more than their exception: %s, except %s', (blocked, allowed, isBlocked) => {
    const names = found({ URLBlocklist: [blocked], URLAllowlist: [allowed] }, url)
    expect(names).toEqual(isBlocked ? ['URLBlocklist'] : [])
  })

  const tools = 'DeveloperToolsAvailability'
  it.each<[number, string[], string[], string[]]>([
    [2, [], ['app.example', 'about:*'], []],
    [2, [], ['app.example'], [tools, `${tools}Allowlist`]],
    [0, [], ['app.example:8443', 'about:*'], [`${tools}Allowlist`]],
    [0, ['*'], ['app.example', 'about:*'], []],
    [0, ['*'], ['app.example'], [`${tools}Blocklist`]],
    [0, ['other.example'], ['another.example'], []],
  ])(
    'are those about tools for the window’s own pages, too: %j, %j, except %j',
    (value, blocked, allowed, expected) => {
      const lists = { [`${tools}Blocklist`]: blocked, [`${tools}Allowlist`]: allowed }
      expect(found({ [tools]: value, ...lists }, url)).toEqual(expected)
    },
  )

  it('have flags as the registry has them', () => {
    expect(found({ RemoteDebuggingAllowed: 0, ForceBrowserSignin: 1, HeadlessMode: 2 })).toEqual([
      'RemoteDebuggingAllowed',
      'ForceBrowserSignin',
    ])
    expect(found({ RemoteDebuggingAllowed: 1, ForceBrowserSignin: 0, UserDataDir: '' })).toEqual([])
  })
})

describe('the policies of the registry', () => {
  const registry = (keys: Readonly<Record<string, Readonly<Record<string, string | number>>>>): Registry => ({
    read: (hive: RegistryHive, key: string) => new Map(Object.entries(keys[`${hive}\\${key}`] ?? {})),
    keysBelow: (hive, key) =>
      Object.keys(keys).flatMap(each => {
        const below = each.startsWith(`${hive}\\${key}\\`) ? each.slice(`${hive}\\${key}\\`.length) : ''
        return below === '' || below.includes('\\') ? [] : [below]
      }),
    isWritable: () => false,
    write: () => undefined,
    remove: () => undefined,
  })

  it('are the machine’s before the user’s, with lists in keys below', () => {
    const edge = 'Software\\Policies\\Microsoft\\Edge'
    const policies = readRegistryPolicies(
      'edge',
      registry({
        [`HKCU\\${edge}`]: { BrowserSignin: 2, RemoteDebuggingAllowed: 0 },
        [`HKLM\\${edge}`]: { BrowserSignin: 0 },
        [`HKLM\\${edge}\\URLBlocklist`]: { 1: '*' },
        [`HKLM\\${edge}\\Recommended`]: { DefaultCookiesSetting: 2 },
        'HKLM\\Software\\Policies\\Google\\Chrome': { DeveloperToolsAvailability: 2 },
      }),
    )
    expect(findPolicyProblems(policies, {}).map(({ name, place }) => [name, place])).toEqual([
      ['RemoteDebuggingAllowed', `HKCU\\${edge}`],
      ['URLBlocklist', `HKLM\\${edge}\\URLBlocklist`],
      ['DefaultCookiesSetting', `HKLM\\${edge}\\Recommended`],
    ])
  })

  it.each([
    ['C:\\x\\Edge Beta\\Application\\msedge.exe', 'edge'],
    ['/opt/microsoft/msedge/microsoft-edge', 'edge'],
    ['C:/x/Chrome.exe', 'chrome'],
    ['/opt/google/chrome/google-chrome', 'chrome'],
    ['C:\\x\\Chromium\\Application\\chrome.exe', 'chromium'],
    ['/usr/lib/chromium/chromium', 'chromium'],
    ['C:\\x\\other.exe', 'chromium'],
  ])('are of the family of %s', (executable, family) => {
    expect(familyOf(executable)).toBe(family)
  })
})

it('has the same table in the guide', async () => {
  const guide = new URL('../../../../docs/guides/faq.md', import.meta.url)
  const rows = Array.from((await readFile(guide, 'utf8')).matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|$/gm))
  const told = rows.map(([, name, values, remedy]) => [name, values, remedy])
  expect(told).toEqual(
    Object.entries(policyTable).map(([name, { values, remedy }]) => [name, values, remedy]),
  )
})
