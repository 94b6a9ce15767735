import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { isServiceLinkError, launchSchema } from '@service-link/protocol-core'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offerLaunch } from '../../src/start/hand-off.ts'
import { type InstancePlace, locateInstance } from '../../src/start/instance-place.ts'
import { newPlace, provingFrame, testKey, wrapperAt } from '../support/instance-place.ts'
import { hasLauncher, placeLauncher, placeNode, runLauncher } from '../support/native-launcher.ts'
import { socketAddress } from '../support/pipe.ts'

const application = 'Test.Wrapper'
const isWindows = process.platform === 'win32'

/** The executable beside the launcher is Node. The first argument is a script that prints the others. */
const script = 'tell-arguments.cjs'

/** What the executable does where the native launcher leaves the launch to it. */
const executable = (...argv: readonly string[]) => ({ exitCode: 7, stdout: JSON.stringify(argv), stderr: '' })

const handedOver = { exitCode: 0, stdout: '', stderr: '' }

/** The cases of each table that also run on Windows. The others test code that all platforms share. */
const casesOf = <Case>(onWindows: readonly Case[], others: readonly Case[]): readonly Case[] =>
  isWindows ? onWindows : [...onWindows, ...others]

describe.skipIf(!hasLauncher)('the native launcher', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let launcher: string
  let hasty: string
  /** On Linux also one that checks its use of memory. */
  let launchers: readonly string[]
  beforeAll(async () => {
    folder = await temporaryFolder()
    launcher = await placeLauncher(folder.path, application)
    hasty = await placeLauncher(folder.path, application, 'hasty-launcher')
    const checked = isWindows ? [] : [await placeLauncher(folder.path, application, 'checked-launcher')]
    launchers = [launcher, ...checked]
    await placeNode(folder.path, application)
    const tell = 'process.stdout.write(JSON.stringify(process.argv.slice(2)))\nprocess.exitCode = 7\n'
    for (const name of [script, 'doctor', 'settings', 'installer', 'test', 'Setings', 'help'])
      await writeFile(join(folder.path, name), tell)
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  /** Its per-user folder is where the system has it. A packed wrapper has no other. */
  const launcherPlace = () => newPlace({}, join('Service', application))
  const optionsFor = (dataFolder: string) => ({
    env: {
      ...process.env,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      XDG_DATA_HOME: dataFolder,
      LOCALAPPDATA: dataFolder,
    },
    cwd: folder.path,
  })
  const start = (dataFolder: string, argv: readonly string[], file = launcher) =>
    runLauncher(file, argv, optionsFor(dataFolder))

  const odd = ['firstname=Åse Marie', '', 'x="y"', '\\', 'a\\"b\\\\', '漢 😀', '\t', '*', '--', '-e', '"']

  test('[1-single-instance] hands a launch over whole: arguments, working directory, a new id', async () => {
    await using at = await launcherPlace()
    await using wrapper = await wrapperAt(at.place)
    // The last has the most that a wrapper takes.
    const lists = [[], odd, Array.from({ length: 999 }, (_, index) => `${index}`)]
    for (const file of launchers)
      for (const argv of lists) expect(await start(at.folder, [script, ...argv], file)).toEqual(handedOver)
    const given = lists.map(argv => ({ argv: [script, ...argv], workingDirectory: folder.path }))
    expect(wrapper.launches).toMatchObject(launchers.flatMap(() => given))
    expect(wrapper.launches.map(launch => launchSchema.parse(launch))).toEqual(wrapper.launches)
    expect(new Set(wrapper.launches.map(({ id }) => id)).size).toBe(wrapper.launches.length)
  })

  test('starts the executable with the same arguments if no wrapper runs', async () => {
    await using at = await launcherPlace()
    expect(await start(at.folder, [script, ...odd])).toEqual(executable(...odd))
  })

  test.runIf(isWindows)('reads a command line as the executable does', async () => {
    const marks = String.raw`a"b c"d "a""b" "a"" b" """" "a\"b" \"a "a\\" a\\"b c" a\\\"b "" "" a" " a\\b "\\srv\x y\\"`
    const line = `${marks} \t "a b\\\\"\t"c"d "not ended \\`
    await using at = await launcherPlace()
    const options = { ...optionsFor(at.folder), windowsVerbatimArguments: true }
    const { stdout } = await runLauncher(launcher, [script, line], options)
    await using wrapper = await wrapperAt(at.place)
    expect(await runLauncher(launcher, [script, line], options)).toEqual(handedOver)
    expect(wrapper.launches.map(({ argv }) => argv)).toEqual([[script, ...JSON.parse(stdout)]])
    expect(JSON.parse(stdout).length).toBeGreaterThan(10)
  })

  test('does not lock its starting folder while the executable runs', async () => {
    await using at = await launcherPlace()
    const cwd = join(at.folder, 'journal')
    await mkdir(cwd)
    const leave = `const from = process.cwd(); process.chdir('..'); require('node:fs').rmdirSync(from)`
    const end = await runLauncher(launcher, ['-e', leave], { ...optionsFor(at.folder), cwd })
    expect(end).toEqual(handedOver)
  })

  const ofNode = [`--experimental-config-file=x ${script}`, `${script} --experimental-default-config-file`]
  const words = ['settings --json', 'installer close', 'test', 'Setings', 'help', '--version', '--help', '-h']
  const forExecutable = [...words, `${script} a=b --help`, `${script} /?`, ...ofNode]
  test.each(casesOf(['doctor'], forExecutable))('leaves %s to the executable', async line => {
    await using at = await launcherPlace()
    await using wrapper = await wrapperAt(at.place)
    const { stdout, stderr } = await start(at.folder, line.split(' '))
    expect(stdout + stderr).not.toBe('')
    expect(wrapper.launches).toEqual([])
  })

  test.skipIf(isWindows)(
    'leaves arguments that are not UTF-8 to the executable, and hands over from a removed directory',
    async () => {
      await using at = await launcherPlace()
      await using wrapper = await wrapperAt(at.place)
      const removed = join(at.folder, 'removed')
      await mkdir(removed)
      const shell = (call: string, argument: string) =>
        runLauncher('/bin/sh', ['-c', call, launcher, argument], optionsFor(at.folder))
      expect(await shell(`exec "$0" "$1" "$(printf '\\377')"`, script)).toEqual(executable('\u{fffd}'))
      expect(wrapper.launches).toEqual([])
      expect(await shell('cd "$1" && rmdir "$1" && exec "$0" id=1', removed)).toEqual(handedOver)
      expect(wrapper.launches).toMatchObject([{ argv: ['id=1'], workingDirectory: '/nonexistent' }])
    },
  )

  const desktops: [string, NodeJS.ProcessEnv][] = [
    ['another folder of temporary files', { TEMP: 'C:\\Temp\\3\\', SESSIONNAME: 'RDP-Tcp#3' }],
    ['a user with a variable that moves others in development', { SERVICE_WRAPPER_DATA: '/none' }],
  ]
  const displays: [string, NodeJS.ProcessEnv][] = [
    ['a relative folder of data', { XDG_DATA_HOME: 'data' }],
    ['a display', { DISPLAY: ':1', WAYLAND_DISPLAY: 'wayland-0' }],
    ['a screen of a display', { DISPLAY: 'host:10.2' }],
    ['a display that ends in a point and a number', { DISPLAY: 'host.1' }],
    ['a display of Wayland', { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-1' }],
    ['a quotation mark in the display', { DISPLAY: '"\u0001\\' }],
  ]
  test.each(casesOf(desktops, displays))('finds the wrapper of %s', async (_title, variables) => {
    await using at = await launcherPlace()
    const env: NodeJS.ProcessEnv = { ...optionsFor(at.folder).env, HOME: at.folder, ...variables }
    const share = isAbsolute(env.XDG_DATA_HOME ?? '') ? '' : '.local/share'
    const userFolder = join(at.folder, share, 'Service', application)
    await mkdir(userFolder, { recursive: true, mode: 0o700 })
    await using wrapper = await wrapperAt(locateInstance({ application, userFolder, environment: env }))
    expect(await runLauncher(launcher, [script], { env, cwd: folder.path })).toEqual(handedOver)
    expect(wrapper.launches).toHaveLength(1)
  })

  /** Answers of a listener to the first frame and to the second, and whether it ends behind them. */
  interface Listener {
    readonly proof?: Uint8Array
    readonly answers?: readonly Uint8Array[]
    readonly isSplit?: boolean
    readonly ends?: boolean
  }

  /** A place whose record names a listener. */
  async function listenerAt({ proof = provingFrame, answers = [], isSplit, ends }: Listener) {
    const at = await launcherPlace()
    const address = socketAddress(at.folder, 'listener')
    const heard: unknown[] = []
    const server = createServer((socket: Socket) => {
      const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
      const replies = [proof, Buffer.concat(answers)]
      socket.on('error', () => undefined)
      socket.on('data', async (chunk: Uint8Array) => {
        for (const body of decoder.push(chunk)) {
          heard.push(JSON.parse(String(Buffer.from(body))))
          const bytes = replies.shift() ?? Buffer.of()
          const isLast = replies.length === 0
          for (const part of isSplit ? Array.from(bytes, byte => Buffer.of(byte)) : [bytes])
            await new Promise(resolve => socket.write(part, resolve))
          if (ends && isLast) socket.end()
        }
      })
    }).listen(address)
    await once(server, 'listening')
    await at.publish(address)
    const close = async () => {
      server.close()
      await at[Symbol.asyncDispose]()
    }
    return { ...at, heard, [Symbol.asyncDispose]: close }
  }

  /** What the program says and exits with after the outcome of `offerLaunch`. */
  async function expectedEnd(place: InstancePlace, limits: Parameters<typeof offerLaunch>[2] = {}) {
    const launch = { id: randomUUID(), argv: [script], workingDirectory: folder.path }
    const end = (exitCode: number, sentence: string) => ({ exitCode, stdout: '', stderr: sentence })
    const outcome = await offerLaunch(place, { launch }, limits).catch((error: unknown) => error)
    if (outcome === undefined) return executable()
    if (isServiceLinkError(outcome)) {
      const isBefore = ['ERR_PRIVATE_FOLDER', 'ERR_INSTANCE_ACCESS'].includes(outcome.code)
      return isBefore ? executable() : end(2, `${outcome.message} (${outcome.code})\n${outcome.docsUrl}\n`)
    }
    const { status, code, message, notice, docsUrl } = Object(outcome)
    const entry = docsUrl === undefined ? '' : `${docsUrl}\n`
    if (status === 'refused') return end(2, `${message} (${code})\n${entry}`.toWellFormed())
    return end(0, notice === undefined ? '' : `${notice}\n`)
  }

  const json = (value: unknown) => encodeFrame(JSON.stringify(value))
  const accepted = { status: 'accepted', pid: 1, waits: false }
  const waits = json({ ...accepted, waits: true })
  const refused = { status: 'refused', code: 'ERR_ARGS', message: 'lastname is "missing":\n Å 漢 😀.' }
  const closing = json({ ...refused, code: 'ERR_CLOSING' })

  const onWindows: [string, Listener][] = [
    ['proves itself and accepts in single bytes', { answers: [json(accepted)], isSplit: true }],
    ['refuses in escapes', { answers: [json({ a: [{}], ...refused, message: '\ud83d \u0001\t"\\/😀' })] }],
    ['ends without an answer', { ends: true }],
    ['completes with a notice', { answers: [waits, json({ status: 'completed', notice: 'Åse 😀' })] }],
    ['refuses after it accepted', { answers: [waits, closing], isSplit: true }],
    ['ends after it accepted', { answers: [waits], ends: true }],
    ['has another key', { proof: json({ answer: 'd'.repeat(64) }) }],
    ['says more than the proof', { proof: Buffer.concat([provingFrame, json(accepted)]) }],
  ]
  const elsewhere: [string, Listener][] = [
    ['accepts', { answers: [json(accepted)] }],
    ['accepts with a notice', { answers: [json({ ...accepted, notice: 'Åse 😀' })] }],
    ['refuses', { answers: [json({ ...refused, docsUrl: 'https://docs.example/#err_args' })] }],
    ['closes', { answers: [closing] }],
    ['ends within an answer', { answers: [json(accepted).subarray(0, 20)], ends: true }],
    ['answers something else', { answers: [json({ status: 'elsewhere' })] }],
    ['answers no JSON', { answers: [encodeFrame('{"status":"accepted"')] }],
    ['completes', { answers: [waits, json({ status: 'completed' })] }],
    ['answers something else after it accepted', { answers: [waits, json({ status: 'elsewhere' })] }],
    ['gives back what it was told', { proof: json({ ask: testKey.ask, answer: testKey.ask }) }],
    ['begins another frame behind the proof', { proof: Buffer.concat([provingFrame, Buffer.of(1)]) }],
    ['talks nonsense', { proof: Buffer.from('HTTP/1.1 200 OK\r\n\r\n') }],
    ['sends a negative length', { proof: Buffer.of(255, 255, 255, 255) }],
  ]
  test.each(casesOf(onWindows, elsewhere))(
    'does as the executable if a listener %s',
    async (_title, listening) => {
      await using at = await listenerAt(listening)
      const expected = await expectedEnd(at.place)
      for (const file of launchers) expect(await start(at.folder, [script], file)).toEqual(expected)
    },
  )

  const silent: [string, Listener][] = [
    ['sends a frame without end', { proof: provingFrame.subarray(0, 20) }],
    ['answers nothing', {}],
    ['never completes', { answers: [waits] }],
  ]
  test.each(casesOf([['proves nothing', { proof: Buffer.of() }]], silent))(
    'does as the executable if a listener %s in time',
    async (_title, listening) => {
      await using at = await listenerAt(listening)
      const end = await start(at.folder, [script], hasty)
      expect(end).toEqual(await expectedEnd(at.place, { acceptTimeoutMs: 300, endTimeoutMs: 300 }))
      if (listening.proof) expect(at.heard).toEqual([{ ask: testKey.ask }, { ask: testKey.ask }])
    },
  )

  const isRoot = process.getuid?.() === 0
  if (!isRoot) console.warn('Files of other users are not tested: not root.')

  type Spoil = (at: Pick<Awaited<ReturnType<typeof newPlace>>, 'place' | 'folder'>) => Promise<unknown>
  const damaged = ['', 'x', '{}', '{"pid":1}', `{"a":${'['.repeat(3000)}`, 'x'.repeat(9000)]
  const onPosix: [string, Spoil][] = [
    ['a record that others may read', at => chmod(at.place.recordFile, 0o644)],
    ['a folder that others may enter', at => chmod(at.place.privateFolder, 0o750)],
    ['a linked record', at => relink(at.place.recordFile)],
    ['a linked folder', at => relink(at.place.privateFolder)],
  ]
  const asRoot: [string, Spoil][] = [
    ['a record of another user', at => chown(at.place.recordFile, 12_345, 12_345)],
    ['a folder of another user', at => chown(at.place.privateFolder, 12_345, 12_345)],
    ['a per-user folder of another user', at => chown(at.place.userFolder, 12_345, 12_345)],
  ]

  const spoilt = damaged.map((content): [string, Spoil] => {
    return [`a record of ${content.length} bytes`, at => writeFile(at.place.recordFile, content)]
  })
  const spoilers = [...spoilt, ...onPosix, ...(isRoot ? asRoot : [])]
  test.each(casesOf([['no record', at => rm(at.place.recordFile)]], spoilers))(
    'asks nobody, and starts the executable, with %s',
    async (_title, spoil) => {
      await using at = await listenerAt({ answers: [json(accepted)] })
      expect(await start(at.folder, [script])).toEqual(handedOver)
      at.heard.length = 0
      await spoil(at)
      for (const file of launchers) expect(await start(at.folder, [script], file)).toEqual(executable())
      expect(await expectedEnd(at.place)).toEqual(executable())
      expect(at.heard).toEqual([])
    },
  )

  async function relink(path: string): Promise<void> {
    await rename(path, `${path}.real`)
    await symlink(`${path}.real`, path)
  }

  test('tells a missing executable', async () => {
    await using at = await launcherPlace()
    const end = await start(join(at.folder, 'none'), [], await placeLauncher(at.folder, application))
    expect(end).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/\(ERR_EXECUTABLE\)\nhttps:\S+#err_executable\n$/),
    })
  })
})
