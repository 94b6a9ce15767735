import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClosingError } from '@service-link/protocol-core'
import type { Engine } from '@service-link/window-engine'
import { describe, expect, test } from 'vitest'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { CrashError } from '../../src/start/failed-start.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { claimAsWrapper } from '../support/instance-place.ts'
import { newWrapper } from '../support/new-wrapper.ts'

describe('the signal of a start', () => {
  const stuckUntil = (begun: () => void, signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      begun()
    })

  test.each<[string, (begun: () => void) => Partial<Engine>]>([
    ['its engine is probed', begun => ({ probe: signal => stuckUntil(begun, signal) })],
    ['its window opens', begun => ({ open: ({ signal }) => stuckUntil(begun, signal) })],
  ])('aborts it during %s, and frees the instance', async (_title, engineParts) => {
    const begun = Promise.withResolvers<void>()
    await using made = await newWrapper({ engine: { ...fakeEngine(), ...engineParts(begun.resolve) } })
    const giveUp = new AbortController()
    const starting = made.start([], giveUp.signal)
    await begun.promise
    const reason = new Error('given up')
    giveUp.abort(reason)
    await expect(starting).rejects.toBe(reason)
    await using _next = await claimAsWrapper(made.place)
  })

  test('aborts it while another wrapper holds the instance, with its reason', async () => {
    await using made = await newWrapper()
    await using _holder = await claimAsWrapper(made.place)
    const reason = new ClosingError()
    const giveUp = new AbortController()
    const starting = made.start([], giveUp.signal)
    setImmediate(() => giveUp.abort(reason))
    await expect(starting).rejects.toBe(reason)
  })

  test('has no effect once the wrapper runs', async () => {
    await using made = await newWrapper()
    const giveUp = new AbortController()
    const started = await made.start([], giveUp.signal)
    giveUp.abort()
    const accepted = { role: 'handed-off', outcome: { status: 'accepted' } }
    await expect(made.start()).resolves.toMatchObject(accepted)
    if (started.role === 'wrapper') await started.wrapper.close()
  })
})

test.each([
  ['is refused', ['clearperson=maybe']],
  ['only ends something', ['clearperson=true']],
])('a first launch that %s frees the instance', async (_title, argv) => {
  await using made = await newWrapper()
  await made.start(argv).catch(() => undefined)
  await using _next = await claimAsWrapper(made.place)
})

describe('a wrapper that knows its program’s start command', () => {
  const installedAs = [process.execPath, join(process.cwd(), 'main.js')]

  test('[4.2-path] records it with its version, for any starter', async () => {
    await using made = await newWrapper({ version: '4.5.6.7', installedAs })
    await (await made.run()).close()
    const noted = JSON.parse(await readFile(join(made.userFolder, 'install.json'), 'utf8'))
    expect(noted).toEqual({ path: process.cwd(), version: '4.5.6.7', command: installedAs })
  })

  test('runs even when it cannot record it, and says so', async () => {
    await using made = await newWrapper({ installedAs })
    await mkdir(join(made.userFolder, 'install.json', 'in the way'), { recursive: true })
    await (await made.run()).close()
    const sentence = expect.stringMatching(/^Where the wrapper is installed could not be noted \(E/)
    expect(made.notices).toContainEqual(sentence)
  })
})

test.each<[string, unknown]>([
  ['installedAs', []],
  ['installedAs', ['node', '/main.js']],
  ['version', '2.0.0.0'],
  ['folders', { applicationRoot: 'root', userFolder: 'user' }],
])('the option %s is refused as %j', (option, value) => {
  const create = () => createWrapper({ [option]: value })
  expect(create).toThrow(expect.objectContaining({ code: 'ERR_OPTION', option }))
})

test.each([
  ['launch.id', { id: '1' }],
  ['launch.workingDirectory', { workingDirectory: '.' }],
  ['launch.argv.0', { argv: [17] }],
])('a launch is refused that a running wrapper would not read: %s', async (parameter, wrong) => {
  const launch = { id: randomUUID(), argv: [], workingDirectory: '/', ...wrong }
  const start = createWrapper().start(launch as never)
  await expect(start).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter })
})

test.each<[string, Partial<Engine>]>([
  ['engine.probe()', { probe: async () => undefined as never }],
  ['engine.open()', { open: async () => undefined as never }],
  ['engine.open().call', { open: async () => ({}) as never }],
])('an engine is refused by what its method brings: %s', async (parameter, wrong) => {
  await using made = await newWrapper({ engine: { ...fakeEngine(), ...wrong } })
  await expect(made.start()).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter })
})

const crash = () => new CrashError(new TypeError('Kari Nordmann'))
const crashed = expect.objectContaining({ event: 'crashed', level: 'error', kind: 'TypeError' })
const ofCrash = ({ event }: Readonly<Record<string, unknown>>) => event === 'crashed'

test('a wrapper closed by an uncaught failure logs it once', async () => {
  await using made = await newWrapper()
  const wrapper = await made.run()
  await Promise.all([wrapper.close(crash()), wrapper.close(crash())])
  expect((await made.log()).filter(ofCrash)).toEqual([crashed])
  expect(made.notices.join()).not.toContain('Nordmann')
})

test('one aborted by it during the start logs it, too', async () => {
  const ending = new AbortController()
  const provide = async () => {
    ending.abort(crash())
    return { commands: [] }
  }
  await using made = await newWrapper({ providers: { 'Acme.Component, Acme': { provide } } })
  await expect(made.start(['provider=Acme.Component, Acme'], ending.signal)).rejects.toMatchObject({
    code: 'ERR_CRASHED',
    kind: 'TypeError',
    message: expect.not.stringContaining('Nordmann'),
  })
  expect((await made.log()).filter(ofCrash)).toEqual([crashed])
})

test('the wrapper’s maker gets notices of the web app’s faults, without personal data', async () => {
  const engine = fakeEngine()
  await using made = await newWrapper({ engine })
  await made.run()
  const origin = 'https://app.example'
  const hello = { type: 'hello', protocol: 99, handlers: [], isSignedIn: true }
  engine.emit('message', { value: hello, origin })
  engine.emit('message', { value: { type: 'personSelected', person: 'Kari Nordmann' }, origin })
  engine.emit('loadFailed', { url: 'https://kari:word@app.example/p?ssn=01020312345', reason: 'Refused.' })
  engine.emit('pageCrashed', {})
  expect(made.notices).toEqual([
    'The web app’s page speaks version 99 of the bridge, not 1.',
    'The web app’s page sent a message that is not understood: person',
    'The page of https://app.example did not load: Refused.',
    'The web app’s page has crashed.',
  ])
})
