import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defaultBrand, encodeFrame, unixPipePrefix } from '@service-link/protocol-core'
import { browserProcesses, canListProcesses, mainPid } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import {
  type LaunchEnd,
  type StartedExecutable,
  type WrapperExecutable,
  wrapperExecutable,
} from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test, vi } from 'vitest'
import { placeOf } from '../support/instance-place.ts'
import { dial } from '../support/pipe.ts'

const search = (text: string) => [`provider=${defaultBrand.providers.arguments}`, `queryexercises=${text}`]
const soon = { timeout: 60_000 }

/**
 * Integrators' providers that fail uncaught after their answer, or never end. The one that never ends shortens the
 * wrapper's wait of ten seconds for it.
 */
const ownProviders = `
const later = fail => ({ async provide() { setTimeout(fail, 0); return { commands: [] } } })
export const Thrower = later(() => { throw new TypeError('Kari Nordmann') })
export const Warner = later(() => process.emitWarning('Kari Nordmann', { code: 'ERR_WARNED' }))
const start = setTimeout
export const Lingerer = {
  async provide() {
    setInterval(() => undefined, 1000)
    globalThis.setTimeout = (run, ms, ...rest) => start(run, ms === 10_000 ? 1000 : ms, ...rest)
    return { commands: [] }
  },
}
export const Rejecter = later(() => { Promise.reject(new RangeError('Kari Nordmann')) })
`

async function launchOwn(wrapper: WrapperExecutable, name: string, ...more: string[]): Promise<void> {
  const started = wrapper.start(`provider=Own.${name}, Own`, ...more)
  await started.ended
}

const sigkill = { exitCode: null, errors: expect.any(String) }
const inOrder = { exitCode: 0, errors: expect.not.stringContaining('ERR_') }
const crashed = (kind: string) => ({
  exitCode: 1,
  errors: expect.stringMatching(new RegExp(`^The wrapper ends: .*\\(${kind}\\)\\.$`, 'm')),
})

const ways: [string, (running: StartedExecutable, wrapper: WrapperExecutable) => unknown, LaunchEnd][] = [
  ['SIGTERM', ({ child }) => child.kill('SIGTERM'), inOrder],
  ['SIGINT', ({ child }) => child.kill('SIGINT'), inOrder],
  ['SIGKILL', ({ child }) => child.kill('SIGKILL'), sigkill],
  ['close by the pipe', closeByPipe, inOrder],
  [
    'SIGTERM after a provider has warned of a person',
    async ({ child }, wrapper) => {
      await launchOwn(wrapper, 'Warner', 'wait=true')
      child.kill('SIGTERM')
    },
    { exitCode: 0, errors: expect.stringContaining('warns (ERR_WARNED).') },
  ],
  [
    'SIGTERM while a provider has something left to do',
    async ({ child }, wrapper) => {
      await launchOwn(wrapper, 'Lingerer', 'wait=true')
      child.kill('SIGTERM')
    },
    inOrder,
  ],
  [
    'an exception that nobody catches',
    (_running, wrapper) => launchOwn(wrapper, 'Thrower'),
    crashed('TypeError'),
  ],
  [
    'a rejection that nobody catches',
    (_running, wrapper) => launchOwn(wrapper, 'Rejecter'),
    crashed('RangeError'),
  ],
]

describe.skipIf(!hasBrowser || !canListProcesses)('a wrapper that ended', () => {
  test.each(ways)('by %s has left no process, and the next starts', async (_title, endIt, expected) => {
    await using wrapper = await wrapperExecutable()
    await mkdir(join(wrapper.root, 'providers'))
    await writeFile(join(wrapper.root, 'providers', 'Own.mjs'), ownProviders)
    const running = wrapper.start()
    await running.isWrapper
    await wrapper.start(...search('before'), 'wait=true').ended
    await endIt(running, wrapper)
    const end = await running.ended
    expect(end).toEqual(expected)
    expect(end.errors).not.toContain('Nordmann')
    expect(await logged(wrapper, 'crashed')).toEqual(
      end.exitCode === 1 ? [{ level: 'error', kind: expect.stringMatching(/^(Type|Range)Error$/) }] : [],
    )
    if (end.exitCode !== null) expect(await socketsOf(wrapper)).toEqual([])
    if (end.exitCode === 0) expect(await browserProcesses(wrapper.profileFolder)).toEqual([])
    await vi.waitFor(async () => expect(await browserProcesses(wrapper.profileFolder)).toEqual([]), soon)
    const next = wrapper.start(...search('after'))
    await wrapper.called(calls => calls.length === 2)
    expect(wrapper.calls.map(({ value }) => value.text)).toEqual(['before', 'after'])
    expect(next.child.exitCode).toBeNull()
    expect(wrapper.visits).toEqual(['', ''])
  })

  test('because its browser kept ending has its own exit code', async () => {
    await using wrapper = await wrapperExecutable()
    const running = wrapper.start(...search('before'), 'wait=true')
    await running.isWrapper
    for (const restarts of [0, 1, 2]) {
      await vi.waitFor(async () => {
        expect(await logged(wrapper, 'engine-restarted')).toHaveLength(restarts)
      }, soon)
      process.kill(await mainPid(wrapper.profileFolder), 'SIGKILL')
    }
    expect(await running.ended).toEqual({
      exitCode: 1,
      errors: expect.stringMatching(/See the log\. \(ERR_ENGINE\)\nhttps:\S+\n$/),
    })
    expect(await socketsOf(wrapper)).toEqual([])
  })

  test.skipIf(!hasTerminals())(
    'by the end of its terminal has left no process, and the next starts',
    async () => {
      await using wrapper = await wrapperExecutable()
      const { file, argv, environment } = wrapper.command(...search('before'))
      const line = [file, ...argv].map(word => `'${word}'`).join(' ')
      const terminal = spawn('script', ['-qfc', `exec ${line}`, '/dev/null'], {
        cwd: wrapper.folder,
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      const ended = once(terminal, 'exit')
      await wrapper.called(calls => calls.length === 1)
      terminal.kill('SIGKILL')
      await ended
      await vi.waitFor(async () => expect(await browserProcesses(wrapper.profileFolder)).toEqual([]), soon)
      await vi.waitFor(async () => expect(await socketsOf(wrapper)).toEqual([]), soon)
      wrapper.start(...search('after'))
      await wrapper.called(calls => calls.length === 2)
    },
  )
})

/** The log's lines of an event, without facts that differ between runs. */
async function logged(wrapper: WrapperExecutable, wanted: string): Promise<unknown[]> {
  const log = await readFile(join(dirname(wrapper.profileFolder), 'logs', 'wrapper.log'), 'utf8')
  return log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ event }) => event === wanted)
    .map(({ level, kind }) => ({ level, kind }))
}

async function closeByPipe(_running: StartedExecutable, wrapper: WrapperExecutable): Promise<void> {
  const [name] = (await readdir(wrapper.folder)).filter(entry => entry.startsWith(unixPipePrefix))
  const socket = await dial(join(wrapper.folder, name ?? ''))
  socket.on('error', () => undefined)
  socket.end(encodeFrame('{"Method":"close"}'))
}

/** Names of the existing pipe and hand-off socket. */
async function socketsOf(wrapper: WrapperExecutable): Promise<string[]> {
  const { address } = placeOf(wrapper)
  const instance = await readdir(dirname(address))
  const pipes = (await readdir(wrapper.folder)).filter(name => name.startsWith(unixPipePrefix))
  return [...pipes, ...instance.filter(name => name === basename(address))]
}

function hasTerminals(): boolean {
  try {
    accessSync('/usr/bin/script')
    return true
  } catch {
    console.warn('The test of a wrapper whose terminal ends is skipped: there is no program script.')
    return process.env.CI === 'true'
  }
}
