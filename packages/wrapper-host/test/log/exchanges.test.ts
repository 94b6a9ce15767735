import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFrame } from '@service-link/protocol-core'
import { buildXmlInput } from '@service-link/xml-input'
import { describe, expect, test } from 'vitest'
import { type WrapperFolders, wrapperVersion } from '../../src/settings/wrapper-folders.ts'
import { startTestWrapper, type TestWrapperOptions } from '../../src/testing/index.ts'
import { dial, framesUntilClosed, request } from '../support/pipe.ts'
import { payloadArgument } from '../support/provider-input.ts'
import { openSessionPipe } from '../support/session-pipe.ts'
import { settingText, userFileText } from '../support/settings-folders.ts'

type Line = Readonly<Record<string, unknown>>

const provider = (name: string) => `provider=Service.Desktop.${name}.Component, Service.Desktop`
const wait = 'wait=true'
const limit = { timeout: 60_000, interval: 5 }

/** A wrapper with the log at a level, and what its log has. */
async function logged(LogLevel: 'debug' | 'info' = 'debug', options: TestWrapperOptions = {}) {
  const wrapper = await startTestWrapper({ ...options, settings: { LogLevel } })
  const text = () => readFile(join(wrapper.folders.userFolder, 'logs', 'wrapper.log'), 'utf8')
  return {
    wrapper,
    text,
    /** The first exchange with these facts, once it is there. */
    async find(facts: Line): Promise<Line> {
      const lines = async () => (await text()).trimEnd().split('\n')
      const matching = async () =>
        (await lines())
          .map((line): Line => JSON.parse(line))
          .find(
            line =>
              line.event === 'exchange' &&
              Object.entries(facts).every(([name, value]) => line[name] === value),
          )
      await expect.poll(matching, limit).toBeDefined()
      return (await matching()) ?? {}
    },
    [Symbol.asyncDispose]: () => wrapper.close(),
  }
}

const exchange = { exchange: expect.any(Number), durationMs: expect.any(Number), outcome: 'ok' }

describe('the debug log has a line for', () => {
  test('a frame of the pipe and the call of the bridge that it causes', async () => {
    await using log = await logged()
    const body = { Method: 'getListOfUsers', Args: { customid: 'ø' } }
    await request(log.wrapper.pipeAddress, body)
    expect(await log.find({ kind: 'frame' })).toMatchObject({
      ...exchange,
      direction: 'in',
      name: 'getlistofusers',
      connection: expect.any(Number),
      bytes: Buffer.byteLength(JSON.stringify(body)),
      args: 'customid text 1',
      replyBytes: 2,
    })
    const call = { ...exchange, direction: 'out', bytes: 17, args: 'customId text 1', replyBytes: 28 }
    expect(await log.find({ name: 'getListOfUsers' })).toMatchObject(call)
    const Args = { customid: { a: 1 }, events: [1, 2], userid: 5, source: null }
    await request(log.wrapper.pipeAddress, { Method: 'version', Args })
    const args = 'customid object 1, events list 2, userid number, source null'
    expect(await log.find({ name: 'version' })).toMatchObject({ args })
  })

  test('each request of a session with its own reply, an event, and a message of the page', async () => {
    await using log = await logged()
    using session = await openSessionPipe(log.wrapper.pipeAddress)
    session.send({ Id: 1, Method: 'getlistofusers' }, { Id: '1', Method: 'version' }, { Id: 2, Method: 'no' })
    for (const id of [1, '1', 2]) await session.answer(id)
    expect(await log.find({ name: 'version' })).toMatchObject({
      outcome: 'ok',
      connection: expect.any(Number),
    })
    expect(await log.find({ name: 'unknown' })).toMatchObject({ outcome: 'ERR_METHOD' })
    await session.ask(3, 'subscribe', { events: ['signedin'] })
    log.wrapper.signOut()
    log.wrapper.signIn()
    expect(await log.find({ name: 'signedin' })).toMatchObject({ kind: 'frame', direction: 'out' })
    expect(await log.find({ name: 'signedOut' })).toMatchObject({ kind: 'bridge', direction: 'in' })
  })

  test.each(['pipe', 'launch'])('what a %s causes, each within the next outer one', async way => {
    await using log = await logged()
    const { wrapper } = log
    using session = await openSessionPipe(wrapper.pipeAddress)
    await session.ask(1, 'subscribe', { events: ['personselected'] })
    const names = { firstname: 'Å', lastname: 'L' }
    const xml = buildXmlInput({ person: { customId: '1', ...names, dateOfBirth: '1987-06-05' } })
    const file = join(wrapper.folders.userFolder, 'input.xml')
    await writeFile(file, xml, { mode: 0o600 })
    if (way === 'pipe') await session.ask(2, 'selectperson', { customid: '1', ...names })
    else await wrapper.launch(provider('Legacy'), file, wait)
    const chain: unknown[] = []
    let line = await log.find({ name: 'personselected' })
    for (; line.within !== undefined; line = await log.find({ exchange: line.within })) chain.push(line.name)
    expect(chain).toEqual(['personselected', 'personSelected', 'selectPerson'])
    expect(line).toMatchObject(way === 'pipe' ? { kind: 'frame', name: 'selectperson' } : { kind: 'launch' })
    // What the page does by itself is within nothing.
    wrapper.signOut()
    wrapper.signIn()
    expect(await log.find({ name: 'signedIn' })).not.toHaveProperty('within')
  })

  test('a request whose client has gone', async () => {
    await using log = await logged()
    log.wrapper.signOut()
    using session = await openSessionPipe(log.wrapper.pipeAddress)
    await session.ask(1, 'status')
    session.send({ Id: 2, Method: 'queryexercises', Args: { text: 'knee' } })
    await session.ask(3, 'status')
    session.socket.destroy()
    expect(await log.find({ name: 'queryexercises' })).toMatchObject({ outcome: 'gone' })
  })

  test.each([
    ['<a>', 'ERR_XML_SYNTAX'],
    [buildXmlInput({ queryExercises: 'knee' }), 'ok'],
  ])('a launch and its file: %j', async (xml, outcome) => {
    await using log = await logged()
    const file = join(log.wrapper.folders.userFolder, 'input.xml')
    await writeFile(file, xml, { mode: 0o600 })
    await log.wrapper.launch(provider('Legacy'), file, wait)
    expect(await log.find({ kind: 'file' })).toMatchObject({ outcome, bytes: Buffer.byteLength(xml) })
    const args = `provider text ${provider('Legacy').length - 9}, ? text ${file.length}, wait text 4`
    const launch = await log.find({ kind: 'launch', args })
    expect(launch).toMatchObject({ outcome, direction: 'in' })
    expect(await log.find({ kind: 'file' })).toMatchObject({ within: launch.exchange })
  })

  test('bytes that are no frame', async () => {
    await using log = await logged()
    const socket = await dial(log.wrapper.pipeAddress)
    const closed = framesUntilClosed(socket)
    // A length in the wrong byte order.
    socket.write(Buffer.from([0, 0, 0, 20, 0x7b, 0x7d]))
    await closed
    expect(await log.find({ kind: 'frame' })).toMatchObject({ bytes: 6, outcome: 'ERR_FRAME' })
  })
})

test('at other levels the log has no such line', async () => {
  await using log = await logged('info')
  await request(log.wrapper.pipeAddress, { Method: 'getListOfUsers' })
  await log.wrapper.launch(provider('Arguments'), 'queryexercises=knee', wait)
  expect(await log.text()).not.toContain('exchange')
})

test('a program turns it on for clients that are connected already', async () => {
  await using log = await logged('info')
  using session = await openSessionPipe(log.wrapper.pipeAddress)
  await session.ask(1, 'status')
  await request(log.wrapper.pipeAddress, { Method: 'log' })
  await session.ask(2, 'version')
  expect(await log.find({ name: 'version' })).toMatchObject({ outcome: 'ok' })
  expect(await log.text()).not.toContain('"name":"status"')
})

test('no value of an argument, no token and nothing of a person is in the debug log', async () => {
  const prepare = async ({ userFolder }: WrapperFolders) => {
    const settings = join(userFolder, wrapperVersion)
    await mkdir(settings, { recursive: true })
    await writeFile(join(settings, 'user.config'), userFileText(settingText('Zoom', 'Zq7Mark')))
  }
  await using log = await logged('debug', { prepare })
  const { wrapper } = log
  const { userFolder } = wrapper.folders
  /** In the place of each value, with a number that tells where it was. */
  const mark = (place: number) => `Zq7Mark${place}`
  const person = {
    customId: mark(1),
    firstname: mark(2),
    lastname: mark(3),
    dateOfBirth: '1987-06-05',
    email: `${mark(4)}@example.org`,
  }
  const wire = { customid: mark(1), firstname: mark(2), lastname: mark(3), dateofbirth: '1987-06-05' }
  await wrapper.launch(
    provider('Arguments'),
    ...['id', 'firstname', 'lastname'].map((name, index) => `${name}=${mark(index + 5)}`),
    'dateofbirth=1987-06-05',
    // Parameters of the web app, in any spelling, and a word.
    ...[`signon=${mark(8)}`, ` "SignOn = ${mark(9)}"`, `${mark(10)}=1`, mark(11)],
    wait,
  )
  await wrapper.launch(provider('Arguments'), `signon=${mark(12)}`, `queryexercises=${mark(13)}`, wait)
  const file = join(userFolder, `${mark(14)}.xml`)
  for (const content of [buildXmlInput({ person }), `<a>${mark(15)}</a>`]) {
    await writeFile(file, content, { mode: 0o600 })
    await wrapper.launch(provider('Legacy'), file, wait)
  }
  await wrapper.launch(
    provider('PartnerLink'),
    await payloadArgument(userFolder, `${mark(16)}.${mark(17)}.x`),
    wait,
  )
  await wrapper.launch(provider('PartnerLink'), `payload=${mark(18)}.${mark(19)}.x`, wait)

  await request(wrapper.pipeAddress, { Method: 'selectperson', Args: { ...wire, [mark(20)]: mark(21) } })
  using session = await openSessionPipe(wrapper.pipeAddress)
  await session.ask(mark(22), 'subscribe', { events: ['personselected', mark(23)] })
  await session.ask(2, 'selectperson', {
    ...wire,
    dateofbirth: mark(24),
    profiledata: [{ [mark(25)]: { [mark(26)]: mark(27) } }],
  })
  await session.ask(3, mark(28), { [mark(29)]: { [mark(30)]: [mark(31)] } })
  await session.ask(4, 'getlistofusers', { customid: mark(32) })
  session.socket.write(encodeFrame(`{"Id": 5, ${mark(33)}`))
  await session.answer(null)
  wrapper.selectInPage({ ...person, customId: mark(34) })
  wrapper.crashPage()

  for (const name of ['selectPerson', 'launchParameters', 'personSelected', 'personselected', 'unknown'])
    await log.find({ name })
  await log.find({ kind: 'frame', outcome: 'ERR_JSON' })
  const wanted = 'setting-ignored launch-taken launch-done launch-refused web-app-connected page-crashed'
  for (const event of wanted.split(' ')) await expect.poll(log.text, limit).toContain(`"event":"${event}"`)
  const text = await log.text()
  expect(text).toContain('"source":"pipe","field":"dateofbirth","problem":"must be written')
  expect(text).not.toMatch(/Zq7Mark|1987|example\.org/i)
  expect(text).toContain('customid text 8, firstname text 8, lastname text 8, dateofbirth text 10, ? text 9')
})
