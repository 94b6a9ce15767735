import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isWindowsItself } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person } from './wrapper-desk.ts'

const limit = { timeout: 120_000 }
const task = 'Wrapper of another session'

/** A task of this user without a password runs in the session of services. */
const startTask = (program: string) => `
  $user = [Security.Principal.WindowsIdentity]::GetCurrent().Name
  $principal = New-ScheduledTaskPrincipal -UserId $user -LogonType S4U -RunLevel Highest
  Register-ScheduledTask '${task}' -Force -Principal $principal -Action (New-ScheduledTaskAction '${program}')
  Start-ScheduledTask '${task}'`
const removeTask = `
  Stop-ScheduledTask '${task}' -ErrorAction Ignore
  Unregister-ScheduledTask '${task}' -Confirm:$false -ErrorAction Ignore`

// Wine has one session.
describe.skipIf(!isWindowsItself)('in two sessions of one user with one TEMP', () => {
  test('a launch stays in its session, which has a wrapper of its own', async () => {
    await using desk = await openWrapperDesk(undefined, { user: { BrowserEngine: 'Headless' } })
    const { windows, folder } = desk
    const powershell = async (command: string) =>
      expect(
        await windows.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]),
      ).toMatchObject({
        exitCode: 0,
      })
    const env = { TEMP: folder, TMP: folder }
    await using first = await desk.start([commandLine, ...person('1', 'Ola', 'Dyk')], { env })
    await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)

    const program = join(folder, 'launch.cmd')
    const argv = [commandLine, ...person('2', 'Ida', 'Dyk')].map(argument => `"${argument}"`).join(' ')
    const lines = [
      '@chcp 65001 >nul',
      ...Object.entries(env).map(([name, value]) => `@set ${name}=${value}`),
      `@"${desk.commands.executable}" ${argv} >"${join(folder, 'other.txt')}" 2>&1`,
    ]
    await writeFile(program, lines.join('\r\n'))
    onTestFinished(() => powershell(removeTask))
    await powershell(startTask(program))
    const records = async () => {
      const names = (await readdir(join(desk.userFolder, 'run'))).filter(name => name.endsWith('.json'))
      const texts = await Promise.all(names.map(name => readFile(join(desk.userFolder, 'run', name), 'utf8')))
      return texts.map(text => JSON.parse(text) as { pid: number; desktop: string })
    }
    await vi.waitFor(() => expect(desk.site.selected.at(-1)).toMatchObject({ customId: '2' }), limit)
    const [, pid] = await desk.pipeArguments(first)
    const isFirst = (record: { pid: number }) => String(record.pid) === pid
    const found = await records()
    expect(found.map(record => [isFirst(record), record.desktop !== '']).toSorted()).toEqual([
      [false, false],
      [true, true],
    ])

    expect(await desk.run([commandLine, ...person('3', 'Eva', 'Dyk')], { env })).toMatchObject({
      exitCode: 0,
    })
    await vi.waitFor(() => expect(desk.site.selected.at(-1)).toMatchObject({ customId: '3' }), limit)
    const log = await readFile(join(desk.userFolder, 'logs', 'wrapper.log'), 'utf8')
    const taken = log.split('\n').filter(line => line.includes('"launch-taken"'))
    expect(taken.map(line => isFirst(JSON.parse(line)))).toEqual([true, false, true])
    for (const record of await records())
      expect(
        await desk.servicePipe(
          'close',
          '--pid',
          String(record.pid),
          ...(await desk.pipeArguments(first)).slice(2),
        ),
      ).toMatchObject({
        exitCode: 0,
      })
    expect(await first.exited).toBe(0)
  })
})
