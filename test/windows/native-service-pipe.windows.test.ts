import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleForWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { startNativeServer } from './native/native-server.ts'
import type { WindowsProcess } from './wine/start-process.ts'
import { openWindowsMachine, type WindowsMachine } from './wine/windows-machine.ts'
import { windowsPath } from './wine/windows-path.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const soon = { timeout: 60_000 }
const person = ['customid=ny-漢-1', 'firstname=Kåre "Æ"', 'lastname=van Ødegård 😀\\']
const asHandled = { customId: 'ny-漢-1', firstname: 'Kåre "Æ"', lastname: 'van Ødegård 😀\\' }

let windows: WindowsMachine
let folder: string
let program: string
let wrapper: WindowsProcess
let pid: string
let userFolder: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'native-service-pipe-'))
  program = await bundleForWindows(here('../../packages/pipe-client/src/cli/service-pipe.ts'), folder)
  const server = await bundleForWindows(here('native/serve-wrapper.ts'), folder)
  wrapper = await windows.start(windows.node, [windowsPath(server)])
  await vi.waitFor(async () => {
    ;[, pid = '', userFolder = ''] = /^listens (\d+) (.+?)\r?$/m.exec(await wrapper.stdout()) ?? []
    expect(userFolder).not.toBe('')
  }, soon)
})
afterAll(async () => {
  await wrapper?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const env = () => ({ SERVICE_WRAPPER_DATA: userFolder })
const servicePipe = (...args: readonly string[]) =>
  windows.run(windows.node, [windowsPath(program), ...args], { env: env() })

describe('service-pipe on Windows', () => {
  test('[4.5-version] prints the version: 0', async () => {
    expect(await servicePipe('version', '--pid', pid)).toEqual({
      exitCode: 0,
      stdout: '"3.1.4.1"\n',
      stderr: '',
    })
  })

  test('[4.5-selectperson] puts a person in focus, with names in every script: 0', async () => {
    const { exitCode, stdout, stderr } = await servicePipe('selectperson', ...person, '--pid', pid)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'created', customid: asHandled.customId })
  })

  test('watch prints events: 0', async () => {
    const argv = [windowsPath(program), 'watch', 'workoutopened', '--count', '1', '--pid', pid]
    await using watching = await windows.start(windows.node, argv, { env: env() })
    await vi.waitFor(async () => expect(await watching.stderr()).toContain(`Watching process ${pid}.`), soon)
    expect(await servicePipe('openworkout', 'id=3', '--pid', pid)).toMatchObject({ exitCode: 0 })
    expect(await watching.exited).toBe(0)
    expect(JSON.parse(await watching.stdout())).toEqual({ event: 'workoutopened', data: { id: 3 } })
  })

  test('gives up a wrapper without room for another client, and does not wait longer: 4', async () => {
    await compileNative([here('native/pipe-server.c')], join(folder, 'pipe-server.exe'))
    await using server = await startNativeServer(windows, join(folder, 'pipe-server.exe'), [
      'servicepipe',
      'silent',
    ])
    const argv = [windowsPath(program), 'version', '--timeout', '1', '--classic', '--pid', server.pid]
    // The first client holds the only instance. The system's wait for room takes 30 seconds.
    for (const _ of ['served', 'waiting']) {
      const { exitCode, stderr } = await windows.run(windows.node, argv, { timeoutMs: 25_000 })
      expect([exitCode, stderr]).toEqual([4, expect.stringContaining('ERR_PIPE_TIMEOUT')])
    }
    expect(await server.requests()).toHaveLength(1)
  })

  test('list prints the running wrappers: 0', async () => {
    const { exitCode, stdout, stderr } = await servicePipe('list')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual([
      { pid: Number(pid), version: '3.1.4.1', session: expect.any(String), address: expect.any(String) },
    ])
  })

  // The last test: it ends the wrapper.
  test('[4.5-close] close signs the user out and ends the wrapper, which ran each command once', async () => {
    expect(await servicePipe('close', '--pid', pid)).toMatchObject({ exitCode: 0 })
    expect(await wrapper.exited).toBe(0)
    const calls: unknown = JSON.parse((await wrapper.stdout()).split(/\r?\n/)[1] ?? '')
    expect(calls).toEqual([
      { handler: 'selectPerson', args: asHandled },
      { handler: 'openWorkout', args: { id: 3 } },
      { handler: 'signOut', args: {} },
    ])
  })
})
