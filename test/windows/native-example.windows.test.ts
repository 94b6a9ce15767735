import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeFrame } from '../../packages/protocol-core/src/frame/frame.ts'
import { compileNative } from './native/compile-native.ts'
import { startNativeServer } from './native/native-server.ts'
import { openWindowsMachine, type WindowsMachine } from './wine/windows-machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const administrators = 'S-1-5-32-544'
const frame = (text: string) => Buffer.from(encodeFrame(text)).toString('hex')

let windows: WindowsMachine
let folder: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'native-example-'))
  const source = await readFile(here('../../docs/examples/c/service_pipe.c'), 'utf8')
  const hasty = source.replace('LIMIT_MS 35000', 'LIMIT_MS 1500').replace('seen > 5000', 'seen > 200')
  expect(hasty).toMatch(/LIMIT_MS 1500.*seen > 200/s)
  await writeFile(join(folder, 'hasty.c'), hasty)
  const executable = (name: string) => join(folder, `${name}.exe`)
  await Promise.all([
    compileNative([here('native/pipe-server.c')], executable('pipe-server')),
    compileNative([here('../../docs/examples/c/service_pipe.c')], executable('service_pipe')),
    compileNative([here('../../docs/examples/c/find_wrapper.c')], executable('find_wrapper')),
    compileNative([join(folder, 'hasty.c')], executable('hasty')),
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const start = (...args: readonly string[]) =>
  startNativeServer(windows, join(folder, 'pipe-server.exe'), args)
const ask = (...args: readonly string[]) => windows.run(join(folder, 'service_pipe.exe'), args)
const askHastily = (...args: readonly string[]) => windows.run(join(folder, 'hasty.exe'), args)

describe('the example in C on Windows', () => {
  test('asks a wrapper that serves one client at a time, from several processes [4.5-envelope]', async () => {
    await using server = await start('servicepipe', 'keeps', 'own')
    const ids = ['å', '漢字', '😀', 'd', 'e', 'f']
    const ends = await Promise.all(
      ids.map(customid => ask(server.pid, 'getlistofusers', JSON.stringify({ customid }))),
    )
    const expected = ids.map(customId => ({ id: Buffer.byteLength(customId), customId }))
    expect(ends.map(({ exitCode, stdout }) => exitCode === 0 && JSON.parse(stdout)[0])).toEqual(expected)
    expect((await server.requests()).toSorted()).toEqual(ids.map(id => `getlistofusers ${id}`).toSorted())
  })

  test.each([
    ['of nobody who is told', []],
    ['of another account', [administrators]],
  ])('sends nothing to a pipe %s', async (_title, owner) => {
    await using server = await start('servicepipe', 'keeps', ...owner)
    expect(await ask(server.pid, 'version')).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: "The wrapper was not reached: The pipe is not this user's, or is served by another process.\n",
    })
    expect(await server.requests()).toEqual([])
  })

  test('sends nothing to a pipe of another process than the wrapper', async () => {
    await using server = await start('servicepipe.4711', 'keeps', 'own')
    const { exitCode, stderr } = await ask('4711', 'version')
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('is served by another process')])
    expect(await server.requests()).toEqual([])
  })

  test('gives up where no answer comes, another client is served, or no pipe exists', async () => {
    await using server = await start('servicepipe', 'silent', 'own')
    const [silent, absent] = await Promise.all([
      askHastily(server.pid, 'version'),
      askHastily('4711', 'show'),
    ])
    const busy = await askHastily(server.pid, 'version')
    expect([busy.exitCode, busy.stderr]).toEqual([3, expect.stringContaining('does not take a connection')])
    expect([silent.exitCode, silent.stderr]).toEqual([3, expect.stringContaining('did not answer in time')])
    expect([absent.exitCode, absent.stderr]).toEqual([3, expect.stringContaining('The pipe is not there')])
  })

  test('distinguishes complete replies from broken ones', async () => {
    const broken = ['00000000', 'ffffffff', '01000001', '0500', '0a000000616263']
    const refused = frame('{"error":"No.","code":"ERR_ARGS"}')
    const result = '[{"note":"\\"error\\": none"}]'
    const replies = [...broken, refused, frame(result), `${frame('3.0.0.0')}616263`]
    await using server = await start('servicepipe', 'anew', 'own', ...replies)
    const ends: (readonly [number | null, string])[] = []
    for (const _ of replies) {
      const { exitCode, stdout } = await ask(server.pid, 'version')
      ends.push([exitCode, stdout])
    }
    expect(ends).toEqual([...broken.map(() => [3, '']), [4, ''], [0, result], [0, '3.0.0.0']])
  })

  test('finds the oldest process of the wrapper’s name, and none where none runs', async () => {
    const find = () => windows.run(join(folder, 'find_wrapper.exe'))
    expect(await find()).toMatchObject({ exitCode: 3, stderr: 'No wrapper runs in this login session.\r\n' })
    const program = join(folder, 'Service.Client.WebWrapper.exe')
    await cp(join(folder, 'pipe-server.exe'), program)
    await using oldest = await startNativeServer(windows, program, ['servicepipe', 'keeps', 'own'])
    await using _later = await startNativeServer(windows, program, ['servicepipe', 'keeps', 'own'])
    expect(await find()).toEqual({ exitCode: 0, stdout: `${oldest.pid}\n`, stderr: '' })
    expect(await ask(oldest.pid, 'version')).toMatchObject({ exitCode: 0, stdout: '2.1.4.19787' })
  })
})
