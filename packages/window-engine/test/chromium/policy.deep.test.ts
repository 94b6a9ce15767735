import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '@service-link/test-kit/browser'
import { canFreeBrowser, makeFreeBrowser } from '@service-link/test-kit/free-browser'
import { canManage, policyFile, runManaged } from '@service-link/test-kit/managed-policies'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'
import { createChromiumEngine, type ForbiddenBrowser } from '../../src/chromium/create-chromium-engine.ts'
import { policyTable } from '../../src/platform/policies.ts'
import { policyCases, policyCaseUrl } from '../support/policy-cases.ts'

const app = '<title>none</title><script>document.title = "App"</script>'
const program = fileURLToPath(new URL('../support/managed-window.ts', import.meta.url))

interface Outcome {
  readonly isAvailable: boolean
  readonly reason?: string
  readonly fault?: string
  readonly message?: string
  readonly policies?: string
  readonly title?: string
  readonly forbidden?: readonly ForbiddenBrowser[]
}

/**
 * Opens a window of a real browser in a process that alone sees the policies.
 *
 * @param path folders of browsers; by default one browser is named
 * @param address its port becomes that of the site
 */
async function openWith(
  policies: Readonly<Record<string, unknown>>,
  path?: string,
  address: string = 'http://127.0.0.1/?a=1#b',
): Promise<Outcome> {
  await using folder = await temporaryFolder()
  await using site = await serveSite({ '/': app, '/start': app })
  const url = Object.assign(new URL(address), { port: new URL(site.origin).port })
  const words = [folder.path, url.href, ...(path ? [] : [findBrowser() ?? ''])]
  const argv = ['-C', '@service-link/source', program, ...words]
  const { output, errors } = await runManaged(policies, process.execPath, argv, {
    ...process.env,
    ...(path ? { PATH: `${path}:${process.env.PATH}`, SERVICE_BROWSER: '' } : {}),
  })
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

/** Writes a program that starts a browser with further arguments. */
const relay = (file: string, browser: string, ...argv: readonly string[]) =>
  writeFile(file, `#!/bin/sh\nexec '${browser}' "$@" ${argv.join(' ')}\n`, { mode: 0o755 })

/** A value that forbids, for each policy that this system’s browsers obey. `host` is the web app’s. */
const forbidding: Readonly<Record<string, unknown>> = {
  RemoteDebuggingAllowed: false,
  DeveloperToolsAvailability: 2,
  DeveloperToolsAvailabilityBlocklist: ['127.0.0.1'],
  DeveloperToolsAvailabilityAllowlist: ['127.0.0.1'],
  BrowserSignin: 2,
  ForceBrowserSignin: true,
  HeadlessMode: 2,
  URLBlocklist: ['*'],
  DefaultJavaScriptSetting: 2,
  JavaScriptBlockedForUrls: ['http://127.0.0.1'],
  DefaultCookiesSetting: 2,
  CookiesBlockedForUrls: ['http://127.0.0.1'],
}

describe.skipIf(!canManage || !hasBrowser)('a browser with a managed policy', () => {
  test('is tried with each policy of the table that it obeys here', () => {
    // `UserDataDir` is of Windows and macOS.
    expect([...Object.keys(forbidding), 'UserDataDir'].toSorted()).toEqual(
      Object.keys(policyTable).toSorted(),
    )
  })

  test.each(Object.entries(forbidding))(
    'is found out by its behavior, and by the file: %s',
    async (name, value) => {
      const found = await openWith({ [name]: value })
      const words = [`The policy ${name} (${policyFile}) forbids it.`, policyTable[name]?.remedy]
      for (const word of words) {
        expect(found.message).toContain(word)
        expect(found.reason).toContain(word)
      }
      expect(found).toMatchObject({
        isAvailable: false,
        fault: 'forbidden',
        policies: `${name} (${policyFile})`,
      })
    },
  )

  test.each<[string, Readonly<Record<string, unknown>>]>([
    [
      'a page of its own',
      { DeveloperToolsAvailability: 2, DeveloperToolsAvailabilityAllowlist: ['127.0.0.1'] },
    ],
    ['a weaker exception', { URLBlocklist: ['127.0.0.1/?a=1'], URLAllowlist: ['127.0.0.1'] }],
  ])('is found out with %s', async (_name, policies) => {
    expect(await openWith(policies)).toMatchObject({ isAvailable: false, fault: 'forbidden' })
  })

  test.skipIf(!canFreeBrowser)('gives way to the next one that no policy forbids', async () => {
    await using folder = await temporaryFolder()
    // The policies of Chrome and Edge are elsewhere, so only behavior tells the two apart.
    await relay(join(folder.path, 'google-chrome'), findBrowser() ?? '')
    await relay(join(folder.path, 'microsoft-edge'), await makeFreeBrowser(join(folder.path, 'free')))
    const found = await openWith({ RemoteDebuggingAllowed: false, URLBlocklist: ['*'] }, folder.path)
    expect(found).toMatchObject({ title: 'App', forbidden: [{ browser: 'google-chrome', policies: '' }] })
    expect(found.forbidden?.[0]?.sentence).toContain('Look in chrome://policy for RemoteDebuggingAllowed')
  })

  // Linux has no policy for that.
  test('is not used when it keeps its profile elsewhere', async () => {
    await using folder = await temporaryFolder()
    const browser = join(folder.path, 'chromium')
    const elsewhere = join(folder.path, 'elsewhere')
    await relay(browser, findBrowser() ?? '', `--user-data-dir='${elsewhere}'`)
    await using own = await temporaryFolder()
    const opening = openTestWindow(
      { url: 'http://127.0.0.1:9/', profileFolder: own.path },
      createChromiumEngine({ isHeadless: true, executable: browser }),
    )
    const message = expect.stringContaining('Look in chrome://policy for UserDataDir')
    await expect(opening).rejects.toMatchObject({ fault: 'forbidden', message })
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['that forbids nothing', { BookmarkBarEnabled: false }],
    ['that only other systems obey', { UserDataDir: '/nowhere' }],
    ['that excepts the address', { URLBlocklist: ['*'], URLAllowlist: ['127.0.0.1'] }],
    [
      'that excepts its scripts',
      { DefaultJavaScriptSetting: 2, JavaScriptAllowedForUrls: ['http://127.0.0.1'] },
    ],
    ['that excepts its cookies', { DefaultCookiesSetting: 2, CookiesAllowedForUrls: ['http://127.0.0.1'] }],
    ['for the session alone', { DefaultCookiesSetting: 4 }],
    [
      'that excepts its cookies of a session',
      { DefaultCookiesSetting: 2, CookiesSessionOnlyForUrls: ['http://127.0.0.1'] },
    ],
    [
      'that excepts its tools',
      { DeveloperToolsAvailability: 2, DeveloperToolsAvailabilityAllowlist: ['127.0.0.1', 'about:*'] },
    ],
    [
      'that excepts its tools from all',
      {
        DeveloperToolsAvailabilityBlocklist: ['*'],
        DeveloperToolsAvailabilityAllowlist: ['127.0.0.1', 'about:*'],
      },
    ],
    ['that excepts a host', { URLBlocklist: ['127.0.0.1'], URLAllowlist: ['127.0.0.1'] }],
    [
      'for others',
      { URLBlocklist: ['other.example'], DeveloperToolsAvailabilityBlocklist: ['other.example'] },
    ],
    ['that keeps no history', { IncognitoModeAvailability: 2 }],
    ['that keeps no profile', { ForceEphemeralProfiles: true }],
    ['that has guests alone', { BrowserGuestModeEnforced: true }],
    ['that knows one profile', { BrowserAddPersonEnabled: false, ProfilePickerOnStartupAvailability: 2 }],
    ['that allows no sign-in', { BrowserSignin: 0 }],
  ])('is used: one %s', async (_name, policies) => {
    expect(await openWith(policies)).toMatchObject({ isAvailable: true, title: 'App', isReachable: true })
  })

  test.each(policyCases)('is judged before its start as it behaves: %j', async (policies, name) => {
    expect(await openWith(policies, undefined, policyCaseUrl)).toMatchObject(
      name === ''
        ? { isAvailable: true, title: 'App' }
        : { isAvailable: false, fault: 'forbidden', policies: `${name} (${policyFile})` },
    )
  })
})
