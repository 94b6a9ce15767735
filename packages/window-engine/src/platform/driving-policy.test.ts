import { describe, expect, it } from 'vitest'
import { describeDrivingProblem, policiesIn, readNumber } from './driving-policy.ts'
import { linesOfKey } from './registry.ts'

const head = '\uFEFFWindows Registry Editor Version 5.00\r\n\r\n'
const key = '[HKEY_LOCAL_MACHINE\\Software\\Policies\\Microsoft\\Edge]\r\n'

describe('a policy in the registry', () => {
  it.each([
    ['forbidden', '"RemoteDebuggingAllowed"=dword:00000000\r\n', 0],
    ['allowed', '"Other"="a"\r\n"RemoteDebuggingAllowed"=dword:00000001\r\n', 1],
    ['another number', '"RemoteDebuggingAllowed"=dword:0000000f\r\n', 15],
    ['not decided', '"Other"=dword:00000000\r\n', undefined],
    [
      'that of a key below',
      `\r\n${key.replace(']', '\\b]')}"RemoteDebuggingAllowed"=dword:00000000`,
      undefined,
    ],
  ])('is read: %s', (_name, values, expected) => {
    expect(readNumber(linesOfKey(head + key + values), 'RemoteDebuggingAllowed')).toBe(expected)
  })
})

describe('a browser', () => {
  const place = '/etc/chromium/policies/managed/a.json'
  const problemOf = (text: string, executable = '/usr/bin/chromium') =>
    describeDrivingProblem(executable, [policiesIn(place, text)])

  it.each([
    ['RemoteDebuggingAllowed', '{"RemoteDebuggingAllowed": false}'],
    [
      'DeveloperToolsAvailability',
      '{"HomepageLocation": "https://x.example", "DeveloperToolsAvailability": 2}',
    ],
    ['BrowserSignin', '// ours\n{\n  // asked for\n  "BrowserSignin": 2,\n}'],
  ])('that %s forbids to drive is named, with policy and place', (policy, text) => {
    const problem = problemOf(text)
    expect(problem).toContain(`The policy ${policy} keeps programs from driving this browser (${place}).`)
    expect(problem).toContain('SERVICE_BROWSER')
  })

  it.each([
    '',
    '{"RemoteDebuggingAllowed"',
    '[false]',
    'null',
    '{"RemoteDebuggingAllowed": true, "DeveloperToolsAvailability": 1, "BrowserSignin": 1}',
    '{"RemoteDebuggingAllowed": null, "DeveloperToolsAvailability": "2", "BrowserSignin": [2]}',
    '// "RemoteDebuggingAllowed": false\n{"__proto__": {"BrowserSignin": 2}}',
  ])('that no policy forbids to drive has none: %j', text => {
    expect(problemOf(text)).toBeUndefined()
  })

  it('follows the first place with a value, and Edge signs in by itself', () => {
    const sources = [policiesIn('b', '{"BrowserSignin": 1}'), policiesIn('a', '{"BrowserSignin": 2}')]
    expect(describeDrivingProblem('/usr/bin/chromium', sources)).toBeUndefined()
    expect(problemOf('{"BrowserSignin": 2}', '/usr/bin/microsoft-edge-stable')).toBeUndefined()
    expect(problemOf('{"RemoteDebuggingAllowed": false}', 'C:\\x\\msedge.exe')).toContain('Remote')
  })
})
