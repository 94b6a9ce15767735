import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleForWindows, runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { describeCall } from './native/describe-call.ts'
import { type NativeServer, startNativeServer } from './native/native-server.ts'
import { openWindowsMachine, type WindowsMachine, windowsPath } from './wine/windows-machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const soon = { timeout: 60_000 }
const prefix = 'servicepipe'

let windows: WindowsMachine
let folder: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'native-server-'))
  await compileNative([here('native/pipe-server.c')], join(folder, 'pipe-server.exe'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Its requests, without the client's checks before them. */
const commandsOf = async (server: NativeServer) =>
  (await server.requests()).filter(line => line.startsWith('get') || line.startsWith('open'))

describe.each([
  ['keeps', 'keeps its pipe, and disconnects each client', 1000, 1],
  ['keeps', 'keeps its pipe, and disconnects each client', 200, 8],
  ['anew', 'closes its pipe at once, and makes another for each client', 200, 1],
  ['anew', 'closes its pipe at once, and makes another for each client', 200, 8],
  ['slow', 'answers late and in parts', 6, 2],
])('a native server with one instance of its pipe (%s)', (manner, title, callCount, atATime) => {
  test(`that ${title} gets each of ${callCount} calls once, ${atATime} at a time [4.5-envelope]`, async () => {
    await using server = await startNativeServer(windows, join(folder, 'pipe-server.exe'), [prefix, manner])
    const argv = [prefix, server.pid, String(callCount), String(atATime)]
    // Without a wrapper's key, which this server cannot have.
    const env = { SERVICE_WRAPPER_DATA: windowsPath(join(folder, 'no-user-folder')) }
    const called = await runInWindows(windows, here('native/call-server.ts'), folder, argv, { env })
    expect(called).toEqual({ mode: 'classic', wrong: [] })
    const expected = Array.from({ length: callCount }, (_, index) => describeCall(index).line)
    await vi.waitFor(
      async () => expect((await commandsOf(server)).length).toBeGreaterThanOrEqual(callCount),
      soon,
    )
    expect((await commandsOf(server)).toSorted()).toEqual(expected.toSorted())
  })
})

test('service-pipe gives up a wrapper without room for another client, and does not wait longer: 4', async () => {
  const program = await bundleForWindows(here('../../packages/pipe-client/src/cli/service-pipe.ts'), folder)
  await using server = await startNativeServer(windows, join(folder, 'pipe-server.exe'), [prefix, 'silent'])
  const argv = [windowsPath(program), 'version', '--timeout', '1', '--classic', '--pid', server.pid]
  // The first client holds the only instance. The system's wait for room takes 30 seconds.
  for (const _ of ['served', 'waiting']) {
    const { exitCode, stderr } = await windows.run(windows.node, argv, { timeoutMs: 25_000 })
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('ERR_PIPE_TIMEOUT')])
  }
  expect(await server.requests()).toHaveLength(1)
})
