import { describe, expect, test } from 'vitest'
import { createRateLimiter, type ReceiverStores, storesOverRows } from '../src/index.ts'
import { createMemorySessions } from '../src/testing/index.ts'
import { partsInMemory } from '../src/testing/memory-store.ts'
import {
  ada,
  createTestReceiver,
  linkIdOf,
  logInOf,
  post,
  type TestReceiverOptions,
} from './support/receiver.ts'

/** A part that gives what types forbid. */
const giving = (answer: unknown) => (): never => answer as never
const limiterGiving = (answer: unknown) => ({ take: giving(answer), giveBack: async () => undefined })
const sessionsGiving = (answers: object) => ({ ...createMemorySessions(), ...answers })
const notAwaiting = (work: (stores: ReceiverStores) => unknown) =>
  void work(storesOverRows(partsInMemory({ accounts: [ada] }).parts))

const cases: readonly (readonly [string, Omit<TestReceiverOptions, 'contacts'>])[] = [
  ['renderPage', { renderPage: giving(undefined) }],
  ['renderPage', { renderPage: giving(new Response('<p>')) }],
  ['renderPage', { renderPage: giving('') }],
  ['contentSecurityPolicy', { contentSecurityPolicy: giving(undefined) }],
  ['contentSecurityPolicy', { contentSecurityPolicy: giving(Promise.resolve("default-src 'self'")) }],
  ['sessions.create', { sessions: sessionsGiving({ create: giving({ setCookies: 'sid=1' }) }) }],
  ['sessions.create', { sessions: sessionsGiving({ create: giving(undefined) }) }],
  ['sessions.current', { sessions: sessionsGiving({ current: giving('ada') }) }],
  ['rateLimiter.take', { rateLimiter: limiterGiving(true) }],
  ['retryAfterSeconds', { rateLimiter: limiterGiving({ isAllowed: false }) }],
  ['takeShare', { rateLimiter: createRateLimiter(giving([{ granted: 5 }])) }],
  ['takeKnownVisit', { takeKnownVisit: giving(true) }],
  ['runTransaction', { runTransaction: giving(undefined) }],
  ['runTransaction', { runTransaction: notAwaiting as never }],
  ['replay.consume', { changeStores: () => ({ replay: { consume: giving(true) } }) }],
  ['accounts.find', { changeStores: ({ accounts }) => ({ accounts: { ...accounts, find: giving([]) } }) }],
  ['contacts.put', { changeStores: () => ({ contacts: { put: giving(undefined) } }) }],
]

describe('a part of the service that gives something else than it must', () => {
  test.each(cases)('%s is named by the cause of an ERR_UNAVAILABLE', async (part, wrong) => {
    const { store, logIn } = await createTestReceiver()
    await logIn(ada.id)
    const { changeStores = () => ({}), ...options } = wrong
    const receiver = await createTestReceiver({
      runTransaction: (work, context) =>
        store.runTransaction(stores => work({ ...stores, ...changeStores(stores) }), context),
      ...options,
    })
    const refused = await receiver.receive(post(await receiver.sign(), { cookie: 'any=1' }))
    expect(refused.status).toBe(503)
    expect(receiver.events).toHaveLength(1)
    expect(receiver.events[0]).toMatchObject({
      result: 'ERR_UNAVAILABLE',
      cause: { message: expect.stringContaining(part) },
    })
  })

  test('runTransaction that commits and returns nothing ends no link and completes no log-in silently', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign()))
    const { handle } = logInOf(receiver)
    const silent = await createTestReceiver({
      runTransaction: async work =>
        void (await receiver.store.runTransaction(work, { isRepeatable: false })) as never,
    })
    const named = { code: 'ERR_RECEIVER_OPTION', message: expect.stringContaining('runTransaction') }
    await expect(silent.completePending(handle, ada.id)).rejects.toMatchObject(named)
    await expect(silent.unlink(await linkIdOf(), ada.id)).rejects.toMatchObject(named)
  })

  test('renderRefusal that gives a promise is replaced by the built-in page', async () => {
    const receiver = await createTestReceiver({ renderRefusal: giving(Promise.resolve('<p>')) })
    expect(await (await receiver.receive(post('no token'))).text()).toContain('ERR_PAYLOAD_MALFORMED')
  })
})

describe('rows of a store', () => {
  const { parts } = partsInMemory({ accounts: [ada] })
  const claim = { key: 'key', expiresAt: new Date(), requestId: 'request' }
  const cases: readonly (readonly [
    keyof typeof parts.rows,
    unknown,
    (stores: ReceiverStores) => Promise<unknown>,
  ])[] = [
    ['add', { changes: 1 }, ({ replay }) => replay.consume(claim)],
    ['add', 1, ({ replay }) => replay.consume(claim)],
    ['get', { value: '{}' }, ({ accounts }) => accounts.unlink('link', ada.id)],
    ['remove', [], ({ held }) => held.take('open', 'digest', new Date())],
  ]
  test.each(cases)('%s may not give %j', async (name, answer, use) => {
    const stores = storesOverRows({ ...parts, rows: { ...parts.rows, [name]: giving(answer) } })
    await expect(use(stores)).rejects.toMatchObject({
      code: 'ERR_RECEIVER_OPTION',
      message: expect.stringContaining(`rows.${name} must give`),
    })
  })

  test('that are not there may be null', async () => {
    const rows = { ...parts.rows, get: async () => null, remove: () => null }
    const { accounts, held } = storesOverRows({ ...parts, rows })
    expect(await accounts.unlink('link', ada.id)).toBeUndefined()
    expect(await held.take('open', 'digest', new Date())).toBeUndefined()
  })
})
