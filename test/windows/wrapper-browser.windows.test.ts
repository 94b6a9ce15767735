import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packedVersion } from './packed-wrapper.ts'
import { openWrapperDesk, type WrapperDesk } from './wrapper-desk.ts'

const policies = 'HKCU\\Software\\Policies\\Microsoft\\Edge'

/** The doctor's answer, which starts no browser. */
describe('the packed executable’s browser', () => {
  let desk: WrapperDesk
  let chrome: string
  beforeAll(async () => {
    desk = await openWrapperDesk()
    chrome = join(desk.localFolder, 'Google', 'Chrome', 'Application', 'chrome.exe')
  })
  afterAll(async () => {
    if (!desk) return
    await desk.windows.run('reg.exe', ['delete', policies, '/f'])
    await rm(join(desk.localFolder, 'Google'), { recursive: true, force: true })
    await desk[Symbol.asyncDispose]()
  })

  const engine = async () => {
    const { stdout } = await desk.run(['doctor', '--json'])
    const findings: { check: string; status: string; sentence: string; remedy?: string }[] =
      JSON.parse(stdout)
    return findings.find(({ check }) => check === 'engine')
  }

  test('is Edge with its newest version when installed for all users', async () => {
    for (const version of ['99.0.1.2', '156.0.8078.79', '156.0.8078.9'])
      await mkdir(join(dirname(desk.browser.executable), version))
    expect(await engine()).toMatchObject({ status: 'ok', sentence: 'EoWebBrowser: msedge 156.0.8078.79.' })
  })

  test('is Chrome before Edge, except for the engine InternetExplorer', async () => {
    await mkdir(dirname(chrome), { recursive: true })
    await copyFile(desk.browser.executable, chrome)
    expect(await engine()).toMatchObject({ status: 'ok', sentence: 'EoWebBrowser: chrome.' })
    const settings = join(desk.userFolder, packedVersion)
    await mkdir(settings, { recursive: true })
    await writeFile(
      join(settings, 'user.config'),
      '<configuration><userSettings><S><setting name="BrowserEngine"><value>InternetExplorer</value></setting></S></userSettings></configuration>',
    )
    expect(await engine()).toMatchObject({
      status: 'ok',
      sentence: expect.stringMatching(/^InternetExplorer: msedge /),
    })
  })

  test('is another one when a policy of the administrators forbids driving the first', async () => {
    const decide = async (value: string) => {
      const argv = ['add', policies, '/v', 'RemoteDebuggingAllowed', '/t', 'REG_DWORD', '/d', value, '/f']
      expect(await desk.windows.run('reg.exe', argv)).toMatchObject({ exitCode: 0 })
    }
    await decide('1')
    expect(await engine()).toMatchObject({ status: 'ok' })
    await decide('0')
    expect(await engine()).toMatchObject({
      // Chrome is permitted.
      status: 'warning',
      remedy: expect.stringContaining(`The policy RemoteDebuggingAllowed (${policies}) forbids it.`),
    })
  })
})
