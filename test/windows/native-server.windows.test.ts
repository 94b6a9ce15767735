import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleForWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { describeCall } from './native/describe-call.ts'
import { type NativeServer, startNativeServer } from './native/native-server.ts'
import { openWindowsMachine, type WindowsMachine } from './wine/windows-machine.ts'
import { windowsPath } from './wine/windows-path.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const soon = { timeout: 60_000 }
const prefix = 'servicepipe'

let windows: WindowsMachine
let folder: string
let entry: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'native-server-'))
  await compileNative([here('native/pipe-server.c')], join(folder, 'pipe-server.exe'))
  entry = await bundleForWindows(here('native/call-server.ts'), folder)
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
    const argv = [windowsPath(entry), prefix, server.pid, String(callCount), String(atATime)]
    // Without a wrapper's key, which this server cannot have.
    const env = { SERVICE_WRAPPER_DATA: windowsPath(join(folder, 'no-user-folder')) }
    const { exitCode, stdout, stderr } = await windows.run(windows.node, argv, { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ mode: 'classic', wrong: [] })
    const expected = Array.from({ length: callCount }, (_, index) => describeCall(index).line)
    await vi.waitFor(
      async () => expect((await commandsOf(server)).length).toBeGreaterThanOrEqual(callCount),
      soon,
    )
    expect((await commandsOf(server)).toSorted()).toEqual(expected.toSorted())
  })
})
