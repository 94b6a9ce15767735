import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { packedBrand, packedVersion } from './packed-wrapper.ts'
import type { WindowsProcess } from './wine/start-process.ts'
import { windowsPath } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }
const { executable, registryKey } = packedBrand

/** One wrapper serves all tests, as at a desk. */
describe('the packed executable', () => {
  let desk: WrapperDesk
  let wrapper: WindowsProcess
  /** Its working directory at the start. */
  let journal: string
  beforeAll(async () => {
    desk = await openWrapperDesk()
    journal = join(desk.applicationRoot, 'journal')
    await mkdir(journal)
    wrapper = await desk.start([commandLine, ...person('4711', 'Åse', 'Łoś Ωmega')], { cwd: journal })
  })
  afterAll(async () => {
    await wrapper?.[Symbol.asyncDispose]()
    await desk?.[Symbol.asyncDispose]()
  })

  const isSelected = (expected: object) =>
    vi.waitFor(() => expect(desk.site.selected.at(-1)).toMatchObject(expected), limit)

  test('[4.3-select-or-create] becomes the wrapper, and its page has the person in focus', async () => {
    await isSelected({ customId: '4711', firstname: 'Åse', lastname: 'Łoś Ωmega', dateOfBirth: '1980-04-03' })
    expect(desk.browser.starts).toHaveLength(1)
    const profile = `--user-data-dir=${desk.onWindows(desk.userFolder)}\\browser\\AcmeTræning-`
    expect(desk.browser.starts[0]).toContainEqual(expect.stringContaining(profile))
    expect(desk.browser.starts[0]).toContain('--remote-debugging-pipe')
  })

  test('[4.2-path] records its path and version in the user’s registry and folder', async () => {
    const path = desk.onWindows(desk.applicationRoot)
    const noted = await vi.waitFor(async () => {
      const record = JSON.parse(await readFile(join(desk.userFolder, 'install.json'), 'utf8'))
      const registered = await desk.readRegistry(`HKCU\\${registryKey}`)
      expect(registered, await wrapper.stderr()).toContain('"path"=')
      return { record, registered }
    }, limit)
    expect(noted.record).toMatchObject({ path, version: packedVersion, command: [`${path}\\${executable}`] })
    expect(noted.registered).toContain(`"path"="${path.replaceAll('\\', '\\\\')}"`)
    expect(noted.registered).toContain(`"version"="${packedVersion}"`)
  })

  test('[2.2-files] makes the user’s settings', async () => {
    const file = join(desk.userFolder, packedVersion, 'user.config')
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('<userSettings>'), limit)
  })

  test('does not lock its starting folder', async () => {
    const end = await desk.windows.run('cmd.exe', ['/c', 'rmdir', desk.onWindows(journal)])
    expect(end).toMatchObject({ exitCode: 0 })
    await expect(access(journal)).rejects.toThrow()
  })

  const programs = [
    ['it', 'run'],
    ['its launcher', 'runLauncher'],
  ] as const

  test.each(programs)('[1-single-instance] %s hands a second start over and ends', async (customId, run) => {
    const end = await desk[run]([commandLine, ...person(customId, 'Bjørn', 'van Dyk')])
    expect(end).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    await isSelected({ customId, firstname: 'Bjørn', lastname: 'van Dyk' })
    expect(desk.browser.starts).toHaveLength(1)
  })

  test.each(programs)('%s ends with 2 and a reason when a launch is refused', async (_title, run) => {
    const end = await desk[run]([commandLine, 'id=12', 'dyk'])
    expect(end).toMatchObject({ exitCode: 2, stdout: '' })
    expect(end.stderr).toMatch(/^Arguments not accepted: argument 3 .*\(ERR_ARGS\)\nhttps:\S+\n$/)
  })

  test('[4.4-delete] deletes an XML file after the web app has taken it', async () => {
    const file = join(desk.folder, 'ut på tur.xml')
    const { xmlRoot } = packedBrand
    const text = `<${xmlRoot}><source_customerno>0815</source_customerno><firstname>Jørn</firstname><lastname>Øy</lastname><born>1980-04-03</born></${xmlRoot}>`
    await writeFile(file, text)
    // Relative to the launch's folder, as partners do.
    expect(await desk.run(['ut på tur.xml'], { cwd: desk.folder })).toMatchObject({ exitCode: 0, stderr: '' })
    await isSelected({ customId: '0815', firstname: 'Jørn', lastname: 'Øy' })
    await vi.waitFor(() => expect(access(file)).rejects.toThrow(), limit)
  })

  test('[4.2-provider] loads a provider that was packed with it', async () => {
    const argv = ['provider=Acme.Journal.Component, Acme.Journal', 'patient=å-77']
    expect(await desk.run(argv)).toMatchObject({ exitCode: 0, stderr: '' })
    await isSelected({ customId: 'å-77' })
  })

  test('runs no provider that was added, or that lies where a variable leads', async () => {
    const evil = `process.getBuiltinModule("fs").writeFileSync("C:/it-ran", ""); export const Component = {}`
    await desk.addProvider('Evil.mjs', evil)
    const elsewhere = join(desk.folder, 'elsewhere')
    await mkdir(join(elsewhere, 'providers'), { recursive: true })
    await writeFile(join(elsewhere, 'providers', 'Other.mjs'), evil)
    const env = { SERVICE_WRAPPER_ROOT: windowsPath(elsewhere) }
    const refusalOf = async (assembly: string) => {
      const end = await desk.run([`provider=Component, ${assembly}`, 'a=b'], { env })
      expect(end).toMatchObject({ exitCode: 2, stdout: '' })
      return end.stderr
    }
    expect(await refusalOf('Evil')).toMatch(/was not packed with this wrapper\. .*\(ERR_PROVIDER_MODULE\)/)
    expect(await refusalOf('Other')).toMatch(/\(ERR_PROVIDER_UNKNOWN\)/)
    await expect(access(join(desk.windows.driveC, 'it-ran'))).rejects.toThrow()
  })

  test('[4.5-name] answers service-pipe', async () => {
    const whose = await desk.pipeArguments(wrapper)
    const call = async (...argv: string[]) => {
      const end = await desk.servicePipe(...argv, ...whose)
      expect(end).toMatchObject({ exitCode: 0 })
      return JSON.parse(end.stdout || 'null')
    }
    expect(await call('version')).toBe(packedVersion)
    expect(await call('status')).toMatchObject({ loaded: true, signedin: true })
    expect(
      await call('selectperson', 'customid=ß-1', 'firstname=Ida', 'lastname=Ås', 'dateofbirth=1980-04-03'),
    ).toMatchObject({ customid: 'ß-1' })
    await isSelected({ customId: 'ß-1', lastname: 'Ås' })
  })

  test('obeys the policies of the machine and the user before its settings files', async () => {
    const key = `Software\\Policies\\${packedBrand.vendor}\\${packedBrand.application}`
    const policies = [
      ['HKLM', 'Culture', 'REG_SZ', 'sv-SE'],
      ['HKLM', 'CheckForUpdates', 'REG_DWORD', '0'],
      ['HKCU', 'LogLevel', 'REG_SZ', 'debug'],
      ['HKCU', 'AppUrl', 'REG_SZ', 'https://other.example/'],
    ] as const
    for (const [hive, name, type, data] of policies)
      await desk.windows.run('reg.exe', ['add', `${hive}\\${key}`, '/v', name, '/t', type, '/d', data, '/f'])
    const { stdout, exitCode } = await desk.run(['settings', '--json'])
    for (const hive of ['HKLM', 'HKCU'])
      await desk.windows.run('reg.exe', ['delete', `${hive}\\${key}`, '/f'])
    expect(exitCode).toBe(1)
    const ofMachine = { origin: 'machine policy', file: `HKLM\\${key}` }
    const problem = 'is global and has no effect as a policy of the user'
    expect(JSON.parse(stdout).settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Culture', value: 'sv-SE', ...ofMachine }),
        expect.objectContaining({ name: 'CheckForUpdates', value: false, ...ofMachine }),
        expect.objectContaining({ name: 'LogLevel', value: 'debug', origin: 'user policy' }),
        expect.objectContaining({ name: 'AppUrl', origin: 'application file', problem }),
      ]),
    )
    const doctor = await desk.run(['doctor', '--json'])
    expect(JSON.parse(doctor.stdout)).toContainEqual(
      expect.objectContaining({ check: 'native', status: 'ok' }),
    )
  })

  test('writes its settings and state to files', async () => {
    const settings = await desk.run(['settings', '--json'])
    expect(settings).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(settings.stdout)).toMatchObject({
      application: packedBrand.application,
      version: packedVersion,
      settings: expect.arrayContaining([
        expect.objectContaining({ name: 'AppUrl', value: desk.site.url, origin: 'application file' }),
      ]),
    })
    const doctor = await desk.run(['doctor', '--json'])
    const findings: { check: string; status: string }[] = JSON.parse(doctor.stdout)
    const statuses = Object.fromEntries(findings.map(({ check, status }) => [check, status]))
    const wellKnown = ['application-root', 'user-folder', 'settings', 'engine', 'service']
    expect(statuses).toMatchObject(Object.fromEntries(wellKnown.map(check => [check, 'ok'])))
  })

  test('[4.5-close] ends with its browser on a close from the pipe', async () => {
    const end = await desk.servicePipe('close', ...(await desk.pipeArguments(wrapper)))
    expect(end).toMatchObject({ exitCode: 0 })
    expect(await wrapper.exited).toBe(0)
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
  })
})
