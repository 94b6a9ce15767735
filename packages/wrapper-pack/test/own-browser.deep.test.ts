import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { canFreeBrowser, makeFreeBrowser } from '@service-link/test-kit/free-browser'
import { canManage, policyFile, runManaged } from '@service-link/test-kit/managed-policies'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandFile, cannotPack, packForHere, packHere, runPacker } from './support/pack.ts'

/** Policies of a system whose browsers may do nothing. */
const everything = {
  RemoteDebuggingAllowed: false,
  DeveloperToolsAvailability: 2,
  BrowserSignin: 2,
  HeadlessMode: 2,
  URLBlocklist: ['*'],
  DefaultJavaScriptSetting: 2,
  DefaultCookiesSetting: 2,
}

/** Starts a program, and ends it in order when a file is there. */
const untilFile = `"$1" & pid=$!
while kill -0 $pid 2>/dev/null && ! [ -e "$2" ]; do sleep 0.1; done
kill $pid 2>/dev/null; wait $pid`

const cannotRun = cannotPack !== undefined || !canManage || !canFreeBrowser

describe.skipIf(cannotRun)('a packed wrapper', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let site: Awaited<ReturnType<typeof serveSite>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    site = await serveSite({ '/': '<title>App</title><script>fetch("/script")</script>', '/script': '' })
    await makeFreeBrowser(join(folder.path, 'chromium'))
  })
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })

  /** Packs one, and starts it while policies forbid everything, until its page has run a script. */
  async function start(name: string, members: Readonly<Record<string, unknown>>) {
    const settings = { SignInOrigins: '', ...(members.settings ?? {}) }
    const file = await brandFile(folder.path, { appUrl: `${site.origin}/`, ...members, settings })
    const packed = await packForHere(file, join(folder.path, name))
    const home = join(folder.path, name, 'home')
    const user = join(home, 'Service/Service.Client.WebWrapper')
    await mkdir(join(user, '3.1.0.0'), { recursive: true, mode: 0o700 })
    const engine = '<setting name="BrowserEngine"><value>Headless</value></setting>'
    const config = `<configuration><userSettings><S>${engine}</S></userSettings></configuration>`
    await writeFile(join(user, '3.1.0.0', 'user.config'), config)
    const env = { ...process.env, XDG_DATA_HOME: home }
    const run = (...argv: readonly string[]) => runManaged(everything, argv[0] ?? '', argv.slice(1), env)
    const end = join(folder.path, name, 'end')
    const ended = run('sh', '-c', untilFile, 'sh', packed, end)
    const shown = site.nextRequest('/script').then(() => writeFile(end, ''))
    const { errors } = await Promise.race([ended, shown.then(() => ended)])
    return { errors, doctor: JSON.parse((await run(packed, 'doctor', '--json')).output) }
  }

  test('without a browser of its own names the policies, and starts no window', async () => {
    const { errors, doctor } = await start('without', {})
    expect(errors).toContain(`The policy RemoteDebuggingAllowed (${policyFile}) forbids it.`)
    const engine = doctor.find(({ check }: { check: string }) => check === 'engine')
    expect(engine).toMatchObject({ status: 'problem', remedy: expect.stringContaining(policyFile) })
    expect(site.requests.has('/script')).toBe(false)
  })

  test('with a browser of its own shows the web app', async () => {
    const { errors } = await start('with', { browser: 'chromium' })
    expect(errors).toContain('The wrapper runs.')
    expect(errors).not.toContain('policies')
    expect(site.requests.get('/script')).toHaveLength(1)
  })
})

describe('a folder with a browser', () => {
  const pack = async (folder: string) => {
    const file = await brandFile(folder, { appUrl: 'https://app.example/', browser: 'browser' })
    return runPacker([file, '--output', folder, ...packHere])
  }

  test.skipIf(cannotPack !== undefined)('holds a program that may be executed, and no links', async () => {
    await using folder = await temporaryFolder()
    const program = join(folder.path, 'browser', 'chrome')
    expect((await pack(folder.path)).stderr).toContain('The folder of browser is not there')
    await mkdir(dirname(program))
    expect((await pack(folder.path)).stderr).toContain('holds no chrome or chromium')
    await writeFile(program, '')
    expect((await pack(folder.path)).stderr).toContain('holds chrome, which may not be executed')
    await symlink('/etc/passwd', join(dirname(program), 'link'))
    expect((await pack(folder.path)).stderr).toContain('holds link, which is a link')
  })
})
