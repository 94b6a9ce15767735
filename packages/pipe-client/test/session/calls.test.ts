import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import { type ExampleCall, exampleCalls } from '../support/example-calls.ts'
import { type SessionAnswer, type SessionRequest, startSessionServer } from '../support/session-server.ts'

const silent: SessionAnswer = () => {}
const version: SessionAnswer = (connection, request) => connection.reply(request, '3.0.0.1')

/** Waits long enough for a busy machine. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 })

/** Asks for a user by an id of this call, so that the reply shows its call. */
const askFor = (client: WrapperClient, id: number, options = {}) =>
  client.getListOfUsers({ customId: String(id) }, options).then(users => users[0]?.id)
const replyOf = ({ Args }: SessionRequest) => [{ id: Number(Args?.customid) }]

const sessionCalls: readonly ExampleCall[] = [
  {
    id: '4.3-queryexercises',
    call: wrapper => wrapper.queryExercises('low back'),
    sent: { Method: 'queryexercises', Args: { text: 'low back' } },
  },
  {
    id: '4.3-queryworkouts',
    call: wrapper => wrapper.queryWorkouts('knee'),
    sent: { Method: 'queryworkouts', Args: { text: 'knee' } },
  },
  {
    id: 'design, pipe protocol',
    call: wrapper => wrapper.status(),
    sent: { Method: 'status' },
    answer: { loaded: true, signedin: false, person: null },
    result: { isLoaded: true, isSignedIn: false },
  },
  {
    id: 'design, pipe protocol',
    call: wrapper => wrapper.status(),
    sent: { Method: 'status' },
    answer: {
      loaded: true,
      signedin: true,
      person: { userid: 5, customid: null, firstname: 'Kari', own: 1 },
    },
    result: { isLoaded: true, isSignedIn: true, person: { userId: 5, firstname: 'Kari' } },
  },
]

test.each([...exampleCalls, ...sessionCalls])(
  '[$id] $sent uses the one connection and returns its reply',
  async item => {
    await using server = await startSessionServer((connection, request) =>
      connection.reply(request, item.answer),
    )
    await using wrapper = await connectWrapper({ brand: server.brand })
    expect(wrapper.mode).toBe('session')
    expect(await item.call(wrapper)).toEqual(item.result)
    const { Id, ...sent } = server.first.requests.at(-1) ?? { Id: undefined }
    expect(Id).toEqual(expect.any(Number))
    expect(sent).toEqual(item.sent)
    expect(server.connections).toHaveLength(1)
  },
)

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
  test('in any order reach their calls', async () => {
    const waiting: SessionRequest[] = []
    await using server = await startSessionServer((connection, request) => {
      waiting.push(request)
      if (waiting.length === 20) for (const held of waiting.reverse()) connection.reply(held, replyOf(held))
    })
    await using client = await connectWrapper({ brand: server.brand })
    const ids = Array.from({ length: 20 }, (_, index) => index)
    expect(await Promise.all(ids.map(id => askFor(client, id)))).toEqual(ids)
  })

  test('in single bytes, or several in one piece, are complete', async () => {
    const waiting: SessionRequest[] = []
    await using server = await startSessionServer(({ socket }, request) => {
      waiting.push(request)
      if (waiting.length < 3) return
      const frames = waiting.map(held => {
        const text = JSON.stringify({ Id: held.Id, Result: replyOf(held) })
        const frame = Buffer.alloc(4 + text.length, text)
        frame.writeInt32LE(text.length)
        frame.write(text, 4)
        return frame
      })
      const bytes = Buffer.concat(frames)
      const writeFrom = (at: number): void => {
        if (at < 40) socket.write(bytes.subarray(at, at + 1), () => setImmediate(writeFrom, at + 1))
        else socket.write(bytes.subarray(at))
      }
      writeFrom(0)
    })
    await using client = await connectWrapper({ brand: server.brand })
    expect(await Promise.all([1, 2, 3].map(id => askFor(client, id)))).toEqual([1, 2, 3])
  })

  test('of several megabytes are complete', async () => {
    const users = Array.from({ length: 30_000 }, (_, id) => ({ id, firstname: 'x'.repeat(80) }))
    await using server = await startSessionServer((connection, request) => connection.reply(request, users))
    await using client = await connectWrapper({ brand: server.brand })
    expect(await client.getListOfUsers()).toEqual(users)
  })

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
    const codes = ['ERR_NOT_SIGNED_IN', 'ERR_BUSY', 'ERR_NEW_ONE']
    await using server = await startSessionServer((connection, request) =>
      connection.fail(request, codes.shift() ?? ''),
    )
    await using client = await connectWrapper({ brand: server.brand })
    const refusals = await Promise.all([1, 2, 3].map(() => client.hide().catch(error => error)))
    expect(refusals).toMatchObject([
      {
        code: 'ERR_PIPE_REFUSED',
        commandCode: 'ERR_NOT_SIGNED_IN',
        shouldRetry: true,
        message: 'No. (ERR_NOT_SIGNED_IN)',
      },
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_BUSY', shouldRetry: true },
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_WEB_APP', shouldRetry: false },
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
    await using client = await connectWrapper({ brand: server.brand, maxInFlight: 10 })
    const ids = Array.from({ length: 50 }, (_, index) => index)
    expect(await Promise.all(ids.map(id => askFor(client, id)))).toEqual(ids)
    expect(most).toBe(3)
    const asked = server.first.requests.slice(1).map(({ Args }) => Number(Args?.customid))
    expect(asked).toEqual(ids)
  })

  test.each([
    { own: 2, hello: {}, expected: 2 },
    { own: undefined, hello: {}, expected: 64 },
    { own: 100, hello: {}, expected: 64 },
    { own: 100, hello: { maxinflight: 70 }, expected: 70 },
  ])('with a bound of $own and $hello are $expected at a time', async ({ own, hello, expected }) => {
    await using server = await startSessionServer(silent, { hello })
    const bound = own === undefined ? {} : { maxInFlight: own }
    const client = await connectWrapper({ brand: server.brand, ...bound })
    const calls = Array.from({ length: 150 }, () => client.hide())
    const settled = Promise.allSettled(calls)
    await until(() => expect(server.first.requests).toHaveLength(1 + expected))
    await client.disconnect()
    const reasons = (await settled).map(result => result.status === 'rejected' && result.reason.wasSent)
    expect(reasons.filter(wasSent => wasSent)).toHaveLength(expected)
    expect(server.first.requests).toHaveLength(1 + expected)
  })

  test.each([0, -1, 1.5, Number.NaN])('cannot be bounded by %d', async maxInFlight => {
    await expect(connectWrapper({ maxInFlight })).rejects.toThrow(RangeError)
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
    const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
    const { customId, ...nameless } = kari
    const refusals: readonly (readonly [Promise<unknown>, string])[] = [
      // @ts-expect-error
      [client.getListOfUsers({ customid: '4711' }), 'query.customid is not known. Did you mean customId?'],
      // @ts-expect-error
      [client.setCustomId({ userId: 1, customid: '1' }), 'change.customid is not known.'],
      // @ts-expect-error
      [client.selectPerson({ ...kari, firstName: 'K' }), 'Did you mean firstname?'],
      // @ts-expect-error
      [client.selectPerson(nameless), 'customId is missing (customId or userId is needed)'],
      // @ts-expect-error
      [client.selectPerson({ customId: '1', firstname: 'Kari' }), 'lastname is missing'],
      [client.selectPerson({ ...kari, lastname: ' ' }), 'lastname is missing'],
      [
        client.selectPerson({ ...nameless, userId: 0 }),
        'customId is missing (a new user, userId 0, needs it)',
      ],
      [client.selectPerson({ ...nameless, userId: -1 }), 'userId must be a whole number, 0 or more'],
      [client.selectPerson({ ...kari, dateOfBirth: '03/04/1980' }), 'dateOfBirth must be written YYYY-MM-DD'],
      [client.getWorkoutsForClient({ customId: '1', from: '1.2.2024' }), 'from must be written YYYY-MM-DD'],
      // @ts-expect-error
      [client.getWorkoutsForClient({ from: '2024-02-29' }), 'customId is missing'],
      // @ts-expect-error
      [client.version({ timeout: 5 }), 'options.timeout is not known. Did you mean timeoutMs?'],
    ]
    for (const [refusal, sentence] of refusals) await expect(refusal).rejects.toThrow(sentence)
    expect(server.methods()).toEqual(['hello'])
    expectTypeOf(client.selectPerson).returns.resolves.toEqualTypeOf<{
      status: string
      userId?: number | undefined
      customId?: string | undefined
    }>()
  })

  test('use their arguments as of the call', async () => {
    await using server = await startSessionServer((connection, request) =>
      connection.reply(request, replyOf(request)),
    )
    await using client = await connectWrapper({ brand: server.brand })
    const query = { customId: '1' }
    const users = client.getListOfUsers(query)
    query.customId = '2'
    expect(await users).toEqual([{ id: 1 }])
  })

  test('over two connections do not mix', async () => {
    const echo: SessionAnswer = (connection, request) =>
      setImmediate(() => connection.reply(request, replyOf(request)))
    await using one = await startSessionServer(echo)
    await using other = await startSessionServer(echo)
    await using first = await connectWrapper({ brand: one.brand })
    await using second = await connectWrapper({ brand: one.brand })
    await using third = await connectWrapper({ brand: other.brand })
    const ids = Array.from({ length: 90 }, (_, index) => index)
    const clients = [first, second, third]
    const found = await Promise.all(ids.map(id => askFor(clients[id % 3] ?? first, id)))
    expect(found).toEqual(ids)
    expect([one.connections.length, other.connections.length]).toEqual([2, 1])
  })
})
