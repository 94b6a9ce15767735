import { describe, expect, it } from 'vitest'
import { forbidsDriving } from './driving-policy.ts'
import { linesOfKey } from './export-keys.ts'

const head = '\uFEFFWindows Registry Editor Version 5.00\r\n\r\n'
const key = '[HKEY_LOCAL_MACHINE\\Software\\Policies\\Microsoft\\Edge]\r\n'
const read = (text: string) => forbidsDriving(linesOfKey(head + text))

describe('forbidsDriving', () => {
  it.each([
    ['forbidden', '"RemoteDebuggingAllowed"=dword:00000000\r\n', true],
    ['allowed', '"Other"="a"\r\n"RemoteDebuggingAllowed"=dword:00000001\r\n', false],
    ['not decided', '"Other"=dword:00000000\r\n', undefined],
    [
      'that of a key below',
      `\r\n${key.replace(']', '\\b]')}"RemoteDebuggingAllowed"=dword:00000000`,
      undefined,
    ],
  ])('tells what is %s', (_name, values, expected) => {
    expect(read(key + values)).toBe(expected)
  })
})
