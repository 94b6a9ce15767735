import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectWrapper, type WrapperEvent } from '@service-link/pipe-client'
import type { Traffic } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { buildXmlInput } from '@service-link/xml-input'
import { describe, expect, test } from 'vitest'
import { Tap } from '../../src/tap/tap.ts'
import { startTestWrapper, type TestWrapperOptions } from '../../src/testing/index.ts'
import { dial, framesUntilClosed, request } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const provider = (name: string) => `provider=Service.Desktop.${name}.Component, Service.Desktop`
const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' }

/** A wrapper with its tap open, and everything that it tells. */
async function tapped(options: TestWrapperOptions = {}) {
  const wrapper = await startTestWrapper({ ...options, tap: true })
  const client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
  const messages: Traffic[] = []
  const read = async () => {
    for await (const { message } of client.events({ events: ['traffic'] })) messages.push(message)
  }
  const ended = read()
  // Its answer comes after the subscription.
  await client.status()
  messages.length = 0
  const find = async (wanted: Partial<Traffic>, count = 1) => {
    const found = () =>
      messages.filter(message =>
        Object.entries(wanted).every(([name, value]) => Reflect.get(message, name) === value),
      )
    await expect.poll(() => found().length, limit).toBeGreaterThanOrEqual(count)
    return found()
  }
  /** The first request of a kind, and its reply. */
  const exchange = async (wanted: Partial<Traffic>) => {
    const [asked] = await find(wanted)
    const [first, reply] = await find({ exchange: asked?.exchange ?? 0 }, 2)
    return [first, reply] as const
  }
  return {
    wrapper,
    messages,
    find,
    exchange,
    async [Symbol.asyncDispose]() {
      await client.disconnect()
      await ended
      await wrapper.close()
    },
  }
}

const subscription = { events: ['traffic', 'signedin'] }

describe('the event traffic', () => {
  test('is unknown unless the wrapper was started with it', async () => {
    await using wrapper = await startTestWrapper()
    using session = await openSessionPipe(wrapper.pipeAddress)
    const hello = await session.ask(1, 'hello')
    expect(hello.Result).toMatchObject({ capabilities: expect.not.arrayContaining(['traffic']) })
    const { Result } = await session.ask(2, 'subscribe', subscription)
    expect(Result).toEqual({ events: ['signedin'] })
    await using client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    await expect(
      client
        .events({ events: ['traffic'] })
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toMatchObject({
      code: 'ERR_PIPE_UNSUPPORTED',
    })
    await wrapper.launch('tap=true', 'SERVICE_WRAPPER_TAP=true').catch(() => undefined)
    expect((await session.ask(3, 'subscribe', subscription)).Result).toEqual({ events: ['signedin'] })
    expect(wrapper.notices.join()).not.toContain('tap')
  })

  test('is announced, and a notice warns of it', async () => {
    await using wrapper = await startTestWrapper({ tap: true })
    using session = await openSessionPipe(wrapper.pipeAddress)
    const hello = await session.ask(1, 'hello')
    expect(hello.Result).toMatchObject({ capabilities: expect.arrayContaining(['traffic']) })
    const { Result } = await session.ask(2, 'subscribe', subscription)
    expect(Result).toEqual({ events: ['signedin', 'traffic'] })
    expect(wrapper.notices).toEqual([expect.stringContaining('The tap is open')])
  })

  test.runIf(process.getuid?.() === 0)('cannot be asked for by another user', async () => {
    await using wrapper = await startTestWrapper({ tap: true })
    const asking = 'import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])'
    const nobody = { uid: 65_534, gid: 65_534, cwd: '/' }
    await expect(
      promisify(execFile)('python3', ['-c', asking, wrapper.pipeAddress ?? ''], nobody),
    ).rejects.toMatchObject({ stderr: expect.stringContaining('PermissionError') })
  })

  test('comes only to a client that names it', async () => {
    await using wrapper = await startTestWrapper({ tap: true })
    await using client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    const usual: WrapperEvent[] = []
    const named: WrapperEvent[] = []
    const read = async (events: AsyncIterable<WrapperEvent>, into: WrapperEvent[]) => {
      for await (const event of events) into.push(event)
    }
    const end = new AbortController()
    const reading = read(client.events(), usual)
    await client.status()
    const tapping = read(client.events({ events: ['traffic'], signal: end.signal }), named)
    await client.version()
    await expect.poll(() => named.length, limit).toBeGreaterThan(0)
    end.abort(new Error('enough'))
    await expect(tapping).rejects.toThrow('enough')
    wrapper.signOut()
    await expect.poll(() => usual, limit).toEqual([{ type: 'signedout' }])
    await client.disconnect()
    await reading
  })
})

describe('a message of the tap', () => {
  test('shows a classic request with its reply', async () => {
    await using tap = await tapped()
    const body = JSON.stringify({ Method: 'getListOfUsers', Args: { customid: 'ø' } })
    await request(tap.wrapper.pipeAddress, JSON.parse(body))
    const [asked, reply] = await tap.exchange({ kind: 'frame', direction: 'in', mode: 'classic' })
    expect(asked).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      kind: 'frame',
      direction: 'in',
      exchange: expect.any(Number),
      name: 'getListOfUsers',
      connection: expect.any(Number),
      mode: 'classic',
      bytes: Buffer.byteLength(body),
      text: body,
    })
    expect(reply).toMatchObject({ direction: 'out', outcome: 'ok', bytes: 2, text: '[]', mode: 'classic' })
    expect(reply?.durationMs).toBeGreaterThan(0)
    // The command reached the page between the two.
    const [call, answer] = await tap.exchange({ kind: 'bridge', name: 'getListOfUsers' })
    expect(call).toMatchObject({ direction: 'out', text: '{"customId":"ø"}' })
    expect(answer).toMatchObject({ direction: 'in', outcome: 'ok', text: '{"type":"result","value":[]}' })
  })

  test('ties replies of one session to their requests', async () => {
    await using tap = await tapped()
    using session = await openSessionPipe(tap.wrapper.pipeAddress)
    session.send({ Id: 1, Method: 'getlistofusers' }, { Id: '1', Method: 'version' }, { Id: 2, Method: 'no' })
    await session.answer(2)
    await session.answer(1)
    const [, version] = await tap.exchange({ name: 'version' })
    expect(version).toMatchObject({ outcome: 'ok', text: expect.stringContaining('"Id":"1"') })
    const [, users] = await tap.exchange({ name: 'getlistofusers' })
    expect(users).toMatchObject({ outcome: 'ok', text: '{"Id":1,"Result":[]}' })
    const [, unknown] = await tap.exchange({ name: 'no' })
    expect(unknown).toMatchObject({ outcome: 'ERR_METHOD', mode: 'session' })
  })

  test('shows an event to another client, and no frame of its own', async () => {
    await using tap = await tapped()
    using session = await openSessionPipe(tap.wrapper.pipeAddress)
    await session.ask(1, 'subscribe', subscription)
    tap.wrapper.signOut()
    tap.wrapper.signIn()
    await tap.find({ kind: 'frame', name: 'signedin' })
    await tap.find({ kind: 'bridge', name: 'signedOut' })
    const before = tap.messages.length
    await session.ask(2, 'version')
    await tap.find({ name: 'version' }, 2)
    expect(tap.messages.length - before).toBeLessThanOrEqual(4)
    expect(JSON.stringify(tap.messages)).not.toContain('"Event":"traffic"')
  })

  test('shows a launch, its XML file, and what was read', async () => {
    await using tap = await tapped()
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    const xml = buildXmlInput({ person })
    await writeFile(file, xml, { mode: 0o600 })
    await tap.wrapper.launch(provider('Legacy'), file)
    const [launch, done] = await tap.exchange({ kind: 'launch' })
    const { argv, workingDirectory } = JSON.parse(launch?.text ?? '')
    expect(argv).toEqual([provider('Legacy'), file])
    expect(workingDirectory).toBe(process.cwd())
    expect(done).toMatchObject({ direction: 'out', outcome: 'ok' })
    const [given, read] = await tap.exchange({ kind: 'file' })
    expect(given).toMatchObject({ name: file, bytes: Buffer.byteLength(xml), text: xml })
    expect(JSON.parse(read?.text ?? '')).toEqual([{ name: 'selectperson', args: person }])
  })

  test('shows why a launch and a file were refused', async () => {
    await using tap = await tapped()
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    await writeFile(file, '<a>', { mode: 0o600 })
    expect(await tap.wrapper.launch(provider('Legacy'), file)).toMatchObject({ status: 'refused' })
    const [, reply] = await tap.exchange({ kind: 'file' })
    const [, refusal] = await tap.exchange({ kind: 'launch' })
    for (const message of [reply, refusal])
      expect(message).toMatchObject({ outcome: 'ERR_XML_SYNTAX', text: expect.stringMatching(/line/) })
  })

  test('never holds a signed payload', async () => {
    await using tap = await tapped()
    const header = Buffer.from('{ "alg":"ES256"}').toString('base64url')
    const token = `${header}.${'b'.repeat(20)}.${'c'.repeat(20)}`
    await tap.wrapper.launch(`payload=${token}`)
    using session = await openSessionPipe(tap.wrapper.pipeAddress)
    await session.ask(1, 'queryexercises', { text: token })
    const body = Buffer.from(`\xff${token}`, 'latin1')
    const length = Buffer.alloc(4)
    length.writeInt32LE(body.length)
    session.socket.write(Buffer.concat([length, body]))
    await session.answer(null)
    const [unread] = await tap.find({ outcome: 'ERR_JSON' })
    const [bytes] = await tap.find({ exchange: unread?.exchange ?? 0 })
    expect(Buffer.from(bytes?.base64 ?? '', 'base64').toString('latin1')).toBe('\xff(signed token)')
    await tap.exchange({ kind: 'launch' })
    const all = JSON.stringify(tap.messages)
    expect(all).toContain('payload=(signed token)')
    expect(all).not.toContain('bbbb')
  })

  test('shows bytes that are no frame, and says when text is cut', async () => {
    await using tap = await tapped()
    const socket = await dial(tap.wrapper.pipeAddress)
    const closed = framesUntilClosed(socket)
    // A length in the wrong byte order.
    socket.write(Buffer.from([0, 0, 0, 20, 0x7b, 0x7d]))
    await closed
    const [bytes, refusal] = await tap.exchange({ mode: 'classic' })
    expect(bytes).toMatchObject({ bytes: 6 })
    expect(refusal).toMatchObject({ outcome: 'ERR_FRAME' })
    await request(tap.wrapper.pipeAddress, {
      Method: 'openworkout',
      Args: { id: 1, own: 'ø'.repeat(20_000) },
    })
    const [long] = await tap.find({ name: 'openworkout', direction: 'in' })
    expect(long).toMatchObject({ isCut: true, bytes: 40_049 })
    expect(Buffer.byteLength(long?.text ?? '')).toBeLessThanOrEqual(16 * 1024)
    expect(long?.text?.at(-1)).toBe('ø')
  })
})

test('a client that does not read loses messages, is told how many, and slows nobody', async () => {
  await using wrapper = await startTestWrapper({ tap: true })
  const deaf = await openSessionPipe(wrapper.pipeAddress)
  await deaf.ask(1, 'subscribe', { events: ['traffic'] })
  deaf.socket.pause()
  const other = await openSessionPipe(wrapper.pipeAddress)
  const text = 'x'.repeat(15_000)
  for (let id = 1; id <= 200; id++) await other.ask(id, 'queryexercises', { text, own: text })
  deaf.socket.resume()
  await expect
    .poll(async () => {
      await other.ask(crypto.randomUUID(), 'version')
      return deaf.messages.flatMap(({ Data }) => (Data as Traffic | undefined)?.dropped ?? []).length
    }, limit)
    .toBeGreaterThan(0)
  expect(deaf.socket.destroyed).toBe(false)
  for (const { socket } of [deaf, other]) socket.destroy()
})

test('without a watcher a tap makes nothing of a message', () => {
  const content = {
    toJSON() {
      throw new Error('was written')
    },
  }
  expect(new Tap().report('frame', 'in', { content })).toBeUndefined()
})
