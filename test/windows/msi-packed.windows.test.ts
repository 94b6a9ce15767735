import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Edge, openEdge } from './browser/open-edge.ts'
import { type InstallerDesk, openInstallerDesk } from './msi/installer-desk.ts'
import { packedBrand as brand, packForWindows } from './packed-wrapper.ts'
import { openWebAppSite, type WebAppSite } from './web-app-site.ts'
import { configure } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }

const made = new AsyncDisposableStack()
let desk: InstallerDesk
let site: WebAppSite
let browser: Edge
let applicationRoot: string
let userFolder: string
let other: string
let msi: Record<'first' | 'second', string>
const settingsFile = () => join(applicationRoot, brand.configFile)
const deliveredFile = () => `${settingsFile()}.default`

beforeAll(async () => {
  desk = made.use(await openInstallerDesk(brand))
  site = made.use(await openWebAppSite())
  applicationRoot = join(desk.home, 'AppData', 'Roaming', brand.vendor, brand.application)
  userFolder = join(desk.home, 'AppData', 'Local', brand.vendor, brand.application)
  other = join(desk.windows.driveC, 'Other place', 'Wrapper')
  browser = made.use(await openEdge(desk.windows, userFolder))
  Object.assign(desk.variables, browser.variables)
  for (const folder of [userFolder, applicationRoot, other].map(path => dirname(path))) {
    await rm(folder, { recursive: true, force: true })
    made.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  }
  const packed = join(desk.folder, 'packed')
  const original = await packForWindows()
  await cp(original, packed, { recursive: true })
  const make = async (version: string, appUrl: string) => {
    const file = join(packed, brand.configFile)
    await cp(join(original, brand.configFile), file)
    await configure(file, appUrl, { application: browser.settings })
    return desk.make(packed, version)
  }
  msi = {
    first: await make('3.1.0.0', site.url),
    second: await make('3.1.0.1', `${site.url}?second`),
  }
})
afterAll(() => made.disposeAsync())

/** Starts the installed wrapper and waits until it shows the web app. */
async function start(folder = applicationRoot) {
  const comes = nextLoad()
  const wrapper = await desk.windows.start(join(folder, brand.executable), [], {
    env: browser.variables,
  })
  await comes()
  await vi.waitFor(async () => expect(await wrapper.stderr()).toContain('The wrapper runs.'), limit)
  return wrapper
}

/** @returns a wait for a further load of the web app */
function nextLoad(): () => Promise<void> {
  const loads = site.loads()
  return () => vi.waitFor(() => expect(site.loads()).toBeGreaterThan(loads), limit)
}

test('[4.2-path] an upgrade closes a running wrapper, and starts it again; an administrator’s settings stay', async () => {
  expect(await desk.msiexec('/i', msi.first)).toBe(0)
  const delivered = await readFile(deliveredFile(), 'utf8')
  expect(delivered).toContain(`<value>${site.url}</value>`)

  await using wrapper = await start()
  await vi.waitFor(
    async () => expect(await desk.registry()).toMatchObject({ path: expect.stringMatching(/[^\\]$/) }),
    limit,
  )
  const comes = nextLoad()
  expect(await desk.msiexec('/i', msi.second)).toBe(0)
  expect(await wrapper.exited).toBe(0)
  await comes()
  // The wrapper reads the delivered settings, so the installer writes no others.
  expect(await readFile(deliveredFile(), 'utf8')).toContain(`<value>${site.url}?second</value>`)
  await expect(readFile(settingsFile())).rejects.toMatchObject({ code: 'ENOENT' })

  const changed = delivered.replace('</configuration>', '<!-- changed --></configuration>')
  await writeFile(settingsFile(), changed)
  expect(await desk.msiexec('/i', msi.first)).toBe(0)
  expect(await readFile(settingsFile(), 'utf8')).toBe(changed)
  expect(await readFile(deliveredFile(), 'utf8')).toBe(delivered)
})

test('an upgrade moves it to another folder; an administrator’s settings stay in the old one', async () => {
  const changed = await readFile(settingsFile(), 'utf8')
  expect(await desk.msiexec('/i', msi.second, 'INSTALLDIR=C:\\Other place\\Wrapper')).toBe(0)
  expect(await desk.files(other)).toContain(`${brand.configFile}.default`)
  expect(await desk.files(applicationRoot)).toEqual([brand.configFile])

  const back = `INSTALLDIR=${desk.onWindows(applicationRoot)}`
  expect(await desk.msiexec('/i', msi.first, back)).toBe(0)
  expect(await readFile(settingsFile(), 'utf8')).toBe(changed)
  expect(await desk.files(other)).toBeUndefined()
})

test('its removal keeps an administrator’s settings for the next installation', async () => {
  const changed = await readFile(settingsFile(), 'utf8')
  expect(await desk.msiexec('/x', msi.first)).toBe(0)
  expect(await desk.files(applicationRoot)).toEqual([brand.configFile])
  expect(await desk.msiexec('/i', msi.first)).toBe(0)
  expect(await readFile(settingsFile(), 'utf8')).toBe(changed)
  await rm(settingsFile())
})

test('its removal closes the wrapper and leaves only the user’s settings', async () => {
  await using wrapper = await start()
  const kept = ['install.json', 'logs/wrapper.log', expect.stringMatching(/^browser\//)]
  await vi.waitFor(
    async () => expect(await desk.files(userFolder)).toEqual(expect.arrayContaining(kept)),
    limit,
  )
  await writeFile(join(userFolder, 'notes of somebody.txt'), '')

  expect(await desk.msiexec('/x', msi.first)).toBe(0)
  expect(await wrapper.exited).toBe(0)
  expect(await desk.files(dirname(applicationRoot))).toBeUndefined()
  expect(await desk.registry()).toBeUndefined()
  expect(await desk.shortcuts()).toEqual([])
  expect(await desk.files(userFolder)).toEqual([
    expect.stringMatching(/^3\.1\.0\.0\/user\.config$/),
    'notes of somebody.txt',
  ])
})

/** Gives the user variables for every desktop, until disposal. */
async function keepVariables(variables: Readonly<Record<string, string>>): Promise<AsyncDisposable> {
  const each = (act: (name: string, value: string) => readonly string[]) =>
    Promise.all(
      Object.entries(variables).map(([name, value]) => desk.windows.run('reg.exe', act(name, value))),
    )
  const key = 'HKCU\\Environment'
  await each((name, value) => ['add', key, '/v', name, '/d', value, '/f'])
  return {
    [Symbol.asyncDispose]: async () => void (await each(name => ['delete', key, '/v', name, '/f'])),
  }
}

test('for all users: an upgrade over the wrapper of a desktop, and the removal', async () => {
  const forAll = 'ALLUSERS=1'
  const folder = join(desk.windows.driveC, 'Program Files', brand.vendor, brand.application)
  expect(await desk.msiexec('/i', msi.first, forAll)).toBe(0)
  const delivered = await desk.files(folder)
  await using first = await start(folder)
  // What the system starts for a user has the user's own variables.
  await using _variables = await keepVariables(browser.variables)
  // It has written nothing that another user would run.
  expect(await desk.files(folder)).toEqual(delivered)

  // The same package again closes none.
  expect(await desk.msiexec('/i', msi.first, forAll)).toBe(0)
  const comes = nextLoad()
  expect(await desk.msiexec('/i', msi.second, forAll)).toBe(0)
  expect(await first.exited).toBe(0)
  expect(await desk.registry('HKLM')).toMatchObject({
    version: '3.1.0.1',
    path: expect.stringMatching(/^C:\\Prog/),
  })
  await comes()

  expect(await desk.msiexec('/x', msi.second, forAll)).toBe(0)
  expect(await desk.files(dirname(folder))).toBeUndefined()
  expect(await desk.registry('HKLM')).toBeUndefined()
})
