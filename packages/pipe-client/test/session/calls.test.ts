import { commandNames, type SelectionReceipt } from '@service-link/protocol-core'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { ConnectedWrapper } from '../../src/client/connected-wrapper.ts'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import {
  type SessionAnswer,
  type SessionRequest,
  startSessionServer,
  until,
} from '../support/session-server.ts'

const silent: SessionAnswer = () => {}
const version: SessionAnswer = (connection, request) => connection.reply(request, '3.0.0.1')

/** Asks for a user by an id of this call, so that the reply shows its call. */
const askFor = (client: WrapperClient, id: number, options = {}) =>
  client.getListOfUsers({ customId: String(id) }, options).then(users => users[0]?.id)
const replyOf = ({ Args }: SessionRequest) => [{ id: Number(Args?.customid) }]

/** Requirement of the specification, call, method and arguments as they travel, the wrapper's answer, and the result. */
type ExampleCall = readonly [
  id: string,
  call: (wrapper: WrapperClient) => Promise<unknown>,
  sent: readonly [method: string, args?: object],
  answer?: unknown,
  result?: unknown,
]

const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const workouts = [{ id: 7, name: 'Knee', extra: { kept: true } }]
const focused = { userid: 5, customid: null, firstname: 'Kari', own: 1 }
const sentReceipt = {
  time: '2026-11-27T09:30:00.000Z',
  focusnumber: 7,
  employee: 'Ola',
  userid: 5,
  customid: '4711',
}
const receipt = { time: sentReceipt.time, focusNumber: 7, employee: 'Ola', userId: 5, customId: '4711' }
const profileData = [{ key: 'weight', value: '80', customkey: 'kept' }]

const exampleCalls: readonly ExampleCall[] = [
  ['4.5-hide', wrapper => wrapper.hide(), ['hide']],
  ['4.5-show', wrapper => wrapper.show(), ['show']],
  ['4.5-close', wrapper => wrapper.close(), ['close']],
  [
    '4.5-close',
    wrapper => wrapper.close({ signOut: false, timeoutMs: 30_000 }),
    ['close', { signout: false }],
  ],
  ['design', wrapper => wrapper.log(), ['log']],
  ['4.5-version', wrapper => wrapper.version(), ['version'], '3.0.0.0', '3.0.0.0'],
  [
    '4.5-getworkoutsforclient',
    wrapper => wrapper.getWorkoutsForClient({ customId: 'A-1', from: '2024-02-29' }),
    ['getworkoutsforclient', { customid: 'A-1', from: '2024-02-29' }],
    workouts,
    workouts,
  ],
  [
    '4.5-getworkoutsforclient',
    wrapper => wrapper.getWorkoutsForClient({ userId: 12 }),
    ['getworkoutsforclient', { userid: 12 }],
    [],
    [],
  ],
  ['4.5-openworkout', wrapper => wrapper.openWorkout(17), ['openworkout', { id: 17 }]],
  ['4.5-getlistofusers', wrapper => wrapper.getListOfUsers(), ['getlistofusers'], [{ id: 1 }], [{ id: 1 }]],
  [
    '4.5-getlistofusers',
    wrapper => wrapper.getListOfUsers({ customId: 'x' }),
    ['getlistofusers', { customid: 'x' }],
    [],
    [],
  ],
  [
    '4.5-setcustomid',
    wrapper => wrapper.setCustomId({ userId: 3, customId: 'ø' }),
    ['setcustomid', { userid: 3, customid: 'ø' }],
  ],
  [
    '4.5-selectperson',
    wrapper => wrapper.selectPerson({ ...kari, source: 'Journal', phoneHome: '1', profileData }),
    [
      'selectperson',
      {
        ...{ customid: '4711', source: 'Journal', firstname: 'Kari', lastname: 'Nordmann', phonehome: '1' },
        profiledata: profileData,
      },
    ],
    { status: 'created', userid: 5, customid: '4711' },
    { status: 'created', userId: 5, customId: '4711' },
  ],
  [
    'design',
    wrapper => wrapper.selectPerson(kari, { receipt: true, timeoutMs: 30_000 }),
    ['selectperson', { customid: '4711', firstname: 'Kari', lastname: 'Nordmann', receipt: true }],
    { status: 'selected', userid: 5, customid: '4711', focusnumber: 7, receipt: sentReceipt },
    { status: 'selected', userId: 5, customId: '4711', focusNumber: 7, receipt },
  ],
  ['design', wrapper => wrapper.clearPerson(), ['clearperson']],
  ['design', wrapper => wrapper.clearPerson({ customId: 'A-1' }), ['clearperson', { customid: 'A-1' }]],
  [
    'design',
    wrapper => wrapper.clearPerson({ customId: 'A-1', userId: 5 }, { timeoutMs: 30_000 }),
    ['clearperson', { customid: 'A-1', userid: 5 }],
  ],
  ['design', wrapper => wrapper.signOut(), ['signout']],
  ['4.3-queryexercises', wrapper => wrapper.queryExercises('back'), ['queryexercises', { text: 'back' }]],
  ['4.3-queryworkouts', wrapper => wrapper.queryWorkouts('knee'), ['queryworkouts', { text: 'knee' }]],
  [
    'design',
    wrapper => wrapper.status(),
    ['status'],
    { loaded: true, signedin: false, person: null },
    { isLoaded: true, isSignedIn: false },
  ],
  [
    'design',
    wrapper => wrapper.status(),
    ['status'],
    { loaded: true, signedin: true, person: focused, focusnumber: 7 },
    { isLoaded: true, isSignedIn: true, person: { userId: 5, firstname: 'Kari' }, focusNumber: 7 },
  ],
]

test('[4.5-envelope] the client has a method for each command of the table', () => {
  const names = Object.getOwnPropertyNames(ConnectedWrapper.prototype).map(name => name.toLowerCase())
  expect(names).toEqual(expect.arrayContaining([...commandNames]))
})

test.for(exampleCalls)('[%s] %s: %j uses the one connection', async example => {
  const [, call, sent, answer, result] = example
  await using server = await startSessionServer((connection, request) => connection.reply(request, answer))
  await using wrapper = await connectWrapper({ brand: server.brand })
  expect(await call(wrapper)).toEqual(result)
  const [Method, Args] = sent
  expect(server.first.requests.at(-1)).toEqual({ Id: expect.any(Number), Method, Args })
  expect(server.connections).toHaveLength(1)
})

test('tells each field that the wrapper left out, before the call resolves', async () => {
  await using server = await startSessionServer(({ send }, { Id }) => {
    const Warnings = ['gender', 'dateofbirth'].map(path => ({ path, problem: 'must be read' }))
    send(JSON.stringify({ Id, Result: [], Warnings }))
  })
  const onWarning = vi.fn()
  await using wrapper = await connectWrapper({ brand: server.brand, onWarning })
  const called = wrapper.getListOfUsers().then(() => onWarning.mock.calls.flat())
  const warning = { command: 'getlistofusers', problem: 'must be read' }
  expect(await called).toEqual([
    { ...warning, path: 'gender' },
    { ...warning, path: 'dateofbirth' },
  ])
})

describe('replies', () => {
  test('may have unrequested and unknown events between them', async () => {
    await using server = await startSessionServer((connection, request) => {
      connection.tell('signedin')
      connection.tell('moonrise', { phase: 1 })
      connection.reply(request, '3.0.0.1')
    })
    await using client = await connectWrapper({ brand: server.brand })
    expect(await client.version()).toBe('3.0.0.1')
  })

  test('that come twice, or after their call gave up, are ignored', async () => {
    await using server = await startSessionServer((connection, request) => {
      if (request.Method === 'hide') return
      const [hide] = connection.requests.filter(({ Method }) => Method === 'hide')
      if (hide) connection.reply(hide)
      connection.reply(request, '3.0.0.1')
      connection.reply(request, '3.0.0.2')
      connection.fail(request, 'ERR_WEB_APP')
    })
    await using client = await connectWrapper({ brand: server.brand })
    await expect(client.hide({ timeoutMs: 20 })).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT' })
    expect(await client.version()).toBe('3.0.0.1')
    expect(await client.version()).toBe('3.0.0.1')
    expect(server.connections).toHaveLength(1)
  })

  test('of failures carry their code', async () => {
    const codes = ['ERR_NOT_SIGNED_IN', 'ERR_BUSY', 'ERR_NEW_ONE', 'ERR_SUPERSEDED']
    await using server = await startSessionServer((connection, request) =>
      connection.fail(request, codes.shift() ?? ''),
    )
    await using client = await connectWrapper({ brand: server.brand })
    const refusals = await Promise.all(codes.map(() => client.hide().catch(error => error)))
    expect(refusals).toMatchObject([
      {
        code: 'ERR_PIPE_REFUSED',
        commandCode: 'ERR_NOT_SIGNED_IN',
        shouldRetry: true,
        message: 'No. (ERR_NOT_SIGNED_IN)',
      },
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_BUSY', shouldRetry: true },
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_WEB_APP', shouldRetry: false },
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_SUPERSEDED', shouldRetry: false },
    ])
  })

  test('of a wrong shape fail that command alone', async () => {
    await using server = await startSessionServer((connection, request) =>
      connection.reply(request, request.Method === 'version' ? '3.0.0.1' : { secret: 1 }),
    )
    await using client = await connectWrapper({ brand: server.brand })
    const [users, text] = await Promise.allSettled([client.getListOfUsers(), client.version()])
    expect(users).toMatchObject({ status: 'rejected', reason: { code: 'ERR_PIPE_REPLY' } })
    expect(String(users.status === 'rejected' && users.reason)).not.toContain('secret')
    expect(text).toEqual({ status: 'fulfilled', value: '3.0.0.1' })
  })
})

describe('calls', () => {
  test('above the wrapper’s limit wait here, in order', async () => {
    let inFlight = 0
    let most = 0
    await using server = await startSessionServer(
      (connection, request) => {
        most = Math.max(most, ++inFlight)
        setImmediate(() => {
          inFlight--
          connection.reply(request, replyOf(request))
        })
      },
      { hello: { maxinflight: 3 } },
    )
    await using client = await connectWrapper({ brand: server.brand })
    const ids = Array.from({ length: 50 }, (_, index) => index)
    expect(await Promise.all(ids.map(id => askFor(client, id)))).toEqual(ids)
    expect(most).toBe(3)
    const asked = server.first.requests.slice(1).map(({ Args }) => Number(Args?.customid))
    expect(asked).toEqual(ids)
  })

  test.each([
    { hello: {}, expected: 64 },
    { hello: { maxinflight: 70 }, expected: 70 },
  ])('to a wrapper that says $hello are $expected at a time', async ({ hello, expected }) => {
    await using server = await startSessionServer(silent, { hello })
    const client = await connectWrapper({ brand: server.brand })
    const calls = Array.from({ length: 150 }, () => client.hide())
    const settled = Promise.allSettled(calls)
    await until(() => expect(server.first.requests).toHaveLength(1 + expected))
    await client.disconnect()
    const reasons = (await settled).map(result => result.status === 'rejected' && result.reason.wasSent)
    expect(reasons.filter(wasSent => wasSent)).toHaveLength(expected)
    expect(server.first.requests).toHaveLength(1 + expected)
  })

  test('wait here while the wrapper does not read, and are bounded', async () => {
    await using server = await startSessionServer(version)
    await using client = await connectWrapper({ brand: server.brand })
    server.first.socket.pause()
    const change = { userId: 1, customId: 'x'.repeat(500_000) }
    const calls = Array.from({ length: 20 }, () => client.setCustomId(change))
    const late = client.version({ timeoutMs: 100 })
    // Never written, because more than a megabyte waits before it.
    await expect(late).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT', wasSent: false, shouldRetry: true })
    server.first.socket.resume()
    await Promise.all(calls)
    expect(server.methods().filter(name => name === 'setcustomid')).toHaveLength(20)
    expect(server.methods()).not.toContain('version')
  })

  test('longer than the wrapper’s limit are not sent, and harm no other', async () => {
    await using server = await startSessionServer(version)
    await using client = await connectWrapper({ brand: server.brand })
    const long = client.queryExercises('x'.repeat(1024 * 1024))
    const [refused, other] = await Promise.allSettled([long, client.version()])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'ERR_FRAME' } })
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(server.methods()).toEqual(['hello', 'version'])
  })

  test('that the caller wrote wrongly are refused by the caller’s names, and not sent', async () => {
    await using server = await startSessionServer(version)
    await using client = await connectWrapper({ brand: server.brand })
    const refusals: readonly (readonly [Promise<unknown>, string])[] = [
      // @ts-expect-error
      [client.getListOfUsers({ customid: '4711' }), 'query.customid is not known. Did you mean customId?'],
      [client.getListOfUsers({ customId: ' ' }), 'customId is empty: leave it out for all users.'],
      [client.getListOfUsers({ customId: 'undefined' }), 'customId is the text of a missing value'],
      [client.setCustomId({ userId: 1, customId: '' }), 'Change not accepted: customId is empty.'],
      [client.getWorkoutsForClient({ customId: 'null' }), 'customId is the text of a missing value'],
      // @ts-expect-error
      [client.setCustomId({ userId: 1, customid: '1' }), 'change.customid is not known.'],
      // @ts-expect-error
      [client.selectPerson({ ...kari, firstName: 'K' }), 'Did you mean firstname?'],
      // @ts-expect-error
      [client.selectPerson({ customId: '1', firstname: 'Kari' }), 'lastname is missing'],
      [client.getWorkoutsForClient({ customId: '1', from: '1.2.2024' }), 'from must be written YYYY-MM-DD'],
      // @ts-expect-error
      [client.getWorkoutsForClient({ from: '2024-02-29' }), 'customId is missing'],
      // @ts-expect-error
      [client.selectPerson(kari, { receipt: 'yes' }), 'options.receipt must be true or false.'],
      [client.clearPerson({ customId: '' }), 'customId is empty: leave it out for whoever is in focus.'],
      [client.clearPerson({ customId: 'undefined' }), 'customId is the text of a missing value'],
      // @ts-expect-error
      [client.clearPerson({ customid: '1' }), 'person.customid is not known. Did you mean customId?'],
      // @ts-expect-error
      [client.clearPerson('4711'), 'The parameter person must be'],
      // @ts-expect-error
      [client.queryExercises(7), 'The parameter text must be text.'],
      // @ts-expect-error
      [client.queryWorkouts(7), 'The parameter text must be text.'],
      // @ts-expect-error
      [client.openWorkout({ id: 17 }), 'id must be a number: give the id of the workout.'],
      // @ts-expect-error
      [client.openWorkout('17'), 'The parameter id must be a finite number.'],
      // @ts-expect-error
      [client.close({ signOut: 'no' }), 'options.signOut must be true or false.'],
      // @ts-expect-error
      [client.version({ timeout: 5 }), 'options.timeout is not known. Did you mean timeoutMs?'],
    ]
    expect(() => client.events({ events: [] })).toThrow(
      'options.events is empty: leave it out for all events.',
    )
    for (const [refusal, sentence] of refusals) await expect(refusal).rejects.toThrow(sentence)
    expect(server.methods()).toEqual(['hello'])
    expectTypeOf(client.selectPerson).returns.resolves.toEqualTypeOf<{
      status: string
      userId?: number | undefined
      customId?: string | undefined
      focusNumber?: number | undefined
      receipt?: SelectionReceipt | undefined
    }>()
  })
})
