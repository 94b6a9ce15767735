import { keyRegistrationSchema } from '@service-link/jwt-payload/steps'
import { registeredKey } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import {
  createPartnerDirectory,
  type PartnerRegistration,
  type ReplayClaim,
  type RunInTransaction,
} from '../src/index.ts'
import { ada, createTestReceiver, linkOf, logInOf, post } from './support/receiver.ts'
import { lenientToken } from './support/refused-posts.ts'

const sample: PartnerRegistration = {
  id: 'sample',
  name: 'Sample Partner',
  policy: 'lenient',
  keys: [keyRegistrationSchema.parse(registeredKey('secret'))],
}

describe('a token is used once', () => {
  test('a jti belongs to its partner: equal jtis of two partners are two tokens', async () => {
    const receiver = await createTestReceiver()
    const status = async (claims: object, options: object) =>
      (await receiver.receive(post(await receiver.sign(claims, { tokenId: 'same', ...options })))).status
    expect(await status({}, {})).toBe(200)
    expect(await status({ employeeId: 'emp-8' }, {})).toBe(401)
    expect(await status({}, { key: 'rsa' })).toBe(401)
    expect(await status({}, { key: 'secret' })).toBe(200)
  })

  test.each<[string, object, number]>([
    ['exp', { exp: 60 }, 60],
    ['iat without exp', { iat: 0 }, 86_400],
  ])(
    'lenient: a token with %s is remembered until its age refuses it',
    async (_name, offsets, lifeSeconds) => {
      const claims: ReplayClaim[] = []
      const receiver = await createTestReceiver({
        changeStores: ({ replay }) => ({
          replay: {
            consume: claim => {
              claims.push(claim)
              return replay.consume(claim)
            },
          },
        }),
      })
      const start = receiver.clock().getTime() / 1000
      const times = Object.fromEntries(
        Object.entries(offsets).map(([name, offset]) => [name, start + offset]),
      )
      const token = await lenientToken({ iss: 'https://lenient.example', ...times })
      receiver.pass(lifeSeconds + 59)
      expect((await receiver.receive(post(token))).status).toBe(200)
      receiver.pass(1)
      const late = await receiver.receive(post(token, { accept: 'application/json' }))
      expect(await late.json()).toMatchObject({ code: 'ERR_PAYLOAD_EXPIRED' })
      // A post verified a moment earlier must still find the key.
      expect(claims.map(({ expiresAt }) => expiresAt.getTime() / 1000)).toEqual([start + lifeSeconds + 120])
    },
  )

  test('a repeatable partner’s token is taken each time, and each time the audit log says so', async () => {
    const registrations = [{ ...sample, repeatable: true }]
    const receiver = await createTestReceiver({ partners: await createPartnerDirectory(registrations) })
    const token = await lenientToken({})
    await receiver.receive(post(token))
    await receiver.completePending(logInOf(receiver).handle, ada.id)
    receiver.pass(10 * 365 * 86_400)
    for (const accept of ['text/html', 'application/json'])
      expect((await receiver.receive(post(token, { accept }))).status).toBe(200)
    expect(receiver.outcomes.at(-1)).toMatchObject({ kind: 'signed-in', account: ada })
    expect(receiver.store.auditEntries().map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      'post repeatable',
      'post log-in',
      'log-in linked',
      'post repeatable',
      'post signed-in',
      'post repeatable',
      'post link',
    ])
  })

  test('a repeatable token’s transaction that runs again has the effect of one run', async () => {
    const { store } = await createTestReceiver()
    const registrations = [{ ...sample, repeatable: true }]
    const receiver = await createTestReceiver({
      partners: await createPartnerDirectory(registrations),
      runTransaction: async (work, context) => {
        await store.runTransaction(work, context)
        return store.runTransaction(work, context)
      },
    })
    const token = await lenientToken({})
    for (const accept of ['text/html', 'application/json'])
      expect((await receiver.receive(post(token, { accept }))).status).toBe(200)
    expect(store.auditEntries().map(({ outcome }) => outcome)).toEqual([
      'repeatable',
      'log-in',
      'repeatable',
      'link',
    ])
  })

  test('a failing transaction gives the token back', async () => {
    let isBroken = true
    const receiver = await createTestReceiver({
      changeStores: ({ held }) =>
        isBroken ? { held: { ...held, hold: () => Promise.reject(new Error('full')) } } : {},
    })
    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(503)
    isBroken = false
    expect((await receiver.receive(post(token))).status).toBe(200)
  })

  test('a transaction that runs again after an unclear commit has the effect of one run', async () => {
    const { store } = await createTestReceiver()
    const runTransaction: RunInTransaction = async (work, context) => {
      const first = await store.runTransaction(work, context)
      // The connection broke before the database confirmed the commit.
      return context.isRepeatable ? store.runTransaction(work, context) : first
    }
    const receiver = await createTestReceiver({ runTransaction })
    const first = await receiver.receive(post(await receiver.sign()))
    expect(first.status).toBe(200)
    expect((await receiver.completePending(logInOf(receiver).handle, ada.id)).contact.kind).toBe('created')

    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(200)
    expect((await receiver.receive(post(token))).status).toBe(401)
    expect((await receiver.open(new Request(await linkOf(receiver)))).status).toBe(200)
    expect(store.contacts()).toHaveLength(1)
    expect(store.auditEntries().map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      'post log-in',
      'log-in linked',
      'post signed-in',
      'post link',
      'open signed-in',
    ])
  })

  test('a transaction that runs again makes its session once, and answers with it', async () => {
    const { store, sessions } = await createTestReceiver()
    const made: string[] = []
    const runTransaction: RunInTransaction = async (work, context) => {
      const attempt = () =>
        store.runTransaction(
          stores =>
            work({
              ...stores,
              sessions: {
                ...sessions,
                create: async (...input) => {
                  const grant = await sessions.create(...input)
                  made.push(...grant.setCookies)
                  return grant
                },
              },
            }),
          context,
        )
      const first = await attempt()
      return context.isRepeatable ? attempt() : first
    }
    const receiver = await createTestReceiver({ runTransaction })
    await receiver.logIn(ada.id)
    const answer = await receiver.receive(post(await receiver.sign()))
    expect(made).toHaveLength(1)
    expect(answer.headers.getSetCookie()).toEqual(made)
  })

  test('a rolled-back transaction makes its session anew', async () => {
    const { store, sessions } = await createTestReceiver()
    let count = 0
    let isFailing = false
    const runTransaction: RunInTransaction = async (work, context) => {
      const attempt = (isBroken: boolean) =>
        store.runTransaction(async stores => {
          const create = async () => ({ setCookies: [`session=${++count}`] })
          const result = await work({ ...stores, sessions: { ...sessions, create } })
          if (isBroken) throw new Error('no connection')
          return result
        }, context)
      if (isFailing) await attempt(true).catch(() => undefined)
      return attempt(false)
    }
    const receiver = await createTestReceiver({ runTransaction })
    await receiver.logIn(ada.id)
    count = 0
    isFailing = true
    const answer = await receiver.receive(post(await receiver.sign()))
    expect(answer.headers.getSetCookie()).toEqual(['session=2'])
  })
})
