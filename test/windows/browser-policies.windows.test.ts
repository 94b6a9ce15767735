import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isWindowsItself } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const key = 'HKLM\\Software\\Policies\\Microsoft\\Edge'
const flag = (name: string, value: number) => [key, '/v', name, '/t', 'REG_DWORD', '/d', String(value)]

/** Policy → arguments of `reg.exe add`. */
const policies = {
  RemoteDebuggingAllowed: flag('RemoteDebuggingAllowed', 0),
  DeveloperToolsAvailability: flag('DeveloperToolsAvailability', 2),
  URLBlocklist: [`${key}\\URLBlocklist`, '/v', '1', '/t', 'REG_SZ', '/d', '*'],
} as const

describe('where a policy of the machine forbids driving Edge', () => {
  let desk: WrapperDesk
  let isOurs = false
  beforeAll(async () => {
    desk = await openWrapperDesk(undefined, { application: { Browser: 'edge' } })
    // On Windows itself there could be those of an administrator.
    expect(await desk.windows.run('reg.exe', ['query', key])).toMatchObject({ exitCode: 1 })
    isOurs = true
  })
  const remove = async () => void (isOurs && (await desk.windows.run('reg.exe', ['delete', key, '/f'])))
  afterEach(remove)
  afterAll(async () => {
    if (!desk) return
    await remove()
    await desk[Symbol.asyncDispose]()
  })

  const decide = async (argv: readonly string[]) =>
    expect(await desk.windows.run('reg.exe', ['add', ...argv, '/f'])).toMatchObject({ exitCode: 0 })
  const named = (name: string, [place]: readonly string[]) => `The policy ${name} (${place}) forbids it.`

  test.each(Object.entries(policies))('%s is named by doctor', async (name, argv) => {
    await decide(argv)
    const findings: object[] = JSON.parse((await desk.run(['doctor', '--json'])).stdout)
    const remedy = expect.stringContaining(named(name, argv))
    expect(findings).toContainEqual(expect.objectContaining({ check: 'engine', status: 'problem', remedy }))
  })

  // The browser of Wine's stand-in obeys the host's policies.
  test.skipIf(!isWindowsItself).each(Object.entries(policies))(
    '%s ends a start, which names it',
    async (name, argv) => {
      await decide(argv)
      const { exitCode, stderr } = await desk.run([commandLine, 'wait=true', ...person('1', 'Ola', 'Dyk')])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(named(name, argv)),
      })
      expect(desk.browser.running()).toBe(0)
    },
  )
})
