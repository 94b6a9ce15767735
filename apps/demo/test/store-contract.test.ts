import type { AuditEntry, Delivery, ReplayClaim } from '@service-link/jwt-payload/receiver'
import { payloadSchema } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../src/partner/create-partner.ts'
import { accountIds, databaseStores, memoryStores, type Stores } from './_stores.ts'

const [first, second] = accountIds
const now = new Date('2026-11-21T12:00:20.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const employee = { partnerId: 'p', organizationId: 'o', employeeId: 'e' }
const organization = { partnerId: 'p', organizationId: 'o' }

/** Takes a transaction back after its work. */
class TakenBack extends Error {}

/** Does work in a transaction that fails afterwards. */
async function takeBack(stores: Stores, work: Parameters<Stores['run']>[0]): Promise<void> {
  const run = stores.run(async ports => {
    await work(ports)
    throw new TakenBack()
  })
  await expect(run).rejects.toThrow(TakenBack)
}

const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_none, index) => work(index)))

describe.each([
  // Their time stands still: what expires in an hour of this test's day must not be over on the next day.
  ['in memory', () => memoryStores(() => now)],
  ['in the database', databaseStores],
])('the stores %s', (_kind, start) => {
  describe('replay guard', () => {
    const claim = (requestId: string): ReplayClaim => ({ key: 'p jti', expiresAt: later(300), requestId })
    const consume = (stores: Stores, requestId: string) =>
      stores.run(({ replay }) => replay.consume(claim(requestId)))

    test('gives a key to the first request, again to the same, and to no other', async () => {
      await using stores = await start()
      expect(await consume(stores, 'r1')).toBe('taken')
      expect(await consume(stores, 'r2')).toBe('used')
      expect(await consume(stores, 'r1')).toBe('again')
    })

    test('gives it to exactly one of a hundred at once', async () => {
      await using stores = await start()
      const taken = await atOnce(100, index => consume(stores, `r${index}`))
      expect(taken.filter(result => result !== 'used')).toEqual(['taken'])
    })

    test('has not given it when the transaction is taken back', async () => {
      await using stores = await start()
      await takeBack(stores, ({ replay }) => replay.consume(claim('r1')))
      expect(await consume(stores, 'r2')).toBe('taken')
    })
  })

  describe('held deliveries', () => {
    const delivery: Delivery = {
      requestId: 'r1',
      partner: { id: 'p', name: 'P', appearance: {}, frameOrigins: [] },
      employee,
      person: { customId: 'c' },
      payload: payloadSchema.parse({ organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }),
    }
    const hold = { handleDigest: 'digest', expiresAt: later(60) }
    const put = (stores: Stores) => stores.run(({ held }) => held.hold('open', hold, delivery))
    const take = (stores: Stores, at = now) => stores.run(({ held }) => held.take('open', 'digest', at))

    test('are given out as they were put, once, to one of ten at once', async () => {
      await using stores = await start()
      await put(stores)
      const taken = await atOnce(10, () => take(stores))
      expect(taken.filter(one => one !== undefined)).toEqual([delivery])
    })

    test('are held once when the transaction that puts them is run again', async () => {
      await using stores = await start()
      await put(stores)
      await put(stores)
      expect(await take(stores)).toEqual(delivery)
      expect(await take(stores)).toBeUndefined()
    })

    test('are not given out for another purpose or digest, nor when they have expired', async () => {
      await using stores = await start()
      await put(stores)
      expect(await stores.run(({ held }) => held.take('log-in', 'digest', now))).toBeUndefined()
      expect(await stores.run(({ held }) => held.take('open', 'other', now))).toBeUndefined()
      expect(await take(stores, later(60))).toBeUndefined()
    })

    test('stay when the transaction that takes them is taken back', async () => {
      await using stores = await start()
      await put(stores)
      await takeBack(stores, ({ held }) => held.take('open', 'digest', now))
      expect(await take(stores)).toEqual(delivery)
    })

    test('are not there when the transaction that puts them is taken back', async () => {
      await using stores = await start()
      await takeBack(stores, ({ held }) => held.hold('open', hold, delivery))
      expect(await take(stores)).toBeUndefined()
    })
  })

  describe('account links', () => {
    const link = (stores: Stores, accountId: string, employeeId = 'e') =>
      stores.run(({ accounts }) => accounts.link({ ...employee, employeeId }, accountId))
    const find = (stores: Stores, key = employee) => stores.run(({ accounts }) => accounts.find(key))
    const list = (stores: Stores, accountId: string) => stores.run(({ accounts }) => accounts.list(accountId))

    test('tie an employee to the first account, and tell its name', async () => {
      await using stores = await start()
      expect(await find(stores)).toBeUndefined()
      expect(await link(stores, first)).toMatchObject({ id: first })
      expect(await link(stores, second)).toMatchObject({ id: first })
      expect(await find(stores)).toEqual({ id: first, displayName: `Name of ${first}` })
    })

    test.each([
      ['partner', { ...employee, partnerId: 'q' }],
      ['organization', { ...employee, organizationId: 'q' }],
      ['employee', { ...employee, employeeId: 'q' }],
    ])('another %s is another employee', async (_name, key) => {
      await using stores = await start()
      await link(stores, first)
      expect(await find(stores, key)).toBeUndefined()
    })

    test('are not made to an account that there is not', async () => {
      await using stores = await start()
      expect(await link(stores, 'none')).toBeUndefined()
      expect(await find(stores)).toBeUndefined()
    })

    test('are listed to their account alone and ended by it alone, once', async () => {
      await using stores = await start()
      await link(stores, first)
      await link(stores, first, 'e2')
      const links = await list(stores, first)
      expect(links).toMatchObject([organization, organization])
      expect(links.every(({ linkedAt }) => linkedAt instanceof Date)).toBe(true)
      expect(await list(stores, second)).toEqual([])
      const linkId = links[0]?.linkId ?? ''
      const unlink = (accountId: string) => stores.run(({ accounts }) => accounts.unlink(linkId, accountId))
      expect(await unlink(second)).toBeUndefined()
      expect(await unlink(first)).toMatchObject({ linkId, partnerId: 'p', employee: organization })
      expect(await unlink(first)).toBeUndefined()
      expect(await list(stores, first)).toHaveLength(1)
    })
  })

  describe('contact book', () => {
    const put = (stores: Stores, person: { customId: string; ssn?: string; firstname?: string }) =>
      stores.run(({ contacts }) =>
        contacts.put(organization, person, { accountId: first, organizationName: undefined }),
      )

    test('makes a contact once, and finds it by its ID, then by its identity number', async () => {
      await using stores = await start()
      const made = await put(stores, { customId: 'c', ssn: '12857948392' })
      expect(made).toMatchObject({ kind: 'created' })
      const selected = { ...made, kind: 'selected' }
      expect(await put(stores, { customId: 'c' })).toEqual(selected)
      expect(await put(stores, { customId: 'other', ssn: '12857948392' })).toEqual(selected)
      expect(await put(stores, { customId: 'third' })).toMatchObject({ kind: 'created' })
    })

    test('makes one of ten puts at once', async () => {
      await using stores = await start()
      const matches = await atOnce(10, () => put(stores, { customId: 'c', firstname: 'Åse' }))
      expect(matches.filter(({ kind }) => kind === 'created')).toHaveLength(1)
      expect(new Set(matches.map(match => 'contactId' in match && match.contactId)).size).toBe(1)
    })

    test('has made none when the transaction is taken back', async () => {
      await using stores = await start()
      const context = { accountId: first, organizationName: undefined }
      await takeBack(stores, ({ contacts }) => contacts.put(organization, { customId: 'c' }, context))
      expect(await put(stores, { customId: 'c' })).toMatchObject({ kind: 'created' })
    })
  })

  describe('audit log', () => {
    const entry: AuditEntry = {
      at: now,
      requestId: 'r1',
      event: 'post',
      outcome: 'signed-in',
      partnerId: 'p',
      organizationId: 'o',
      accountId: first,
      employeeDigest: 'digest',
    }
    const record = (stores: Stores, one: AuditEntry) => stores.run(({ audit }) => audit.record(one))

    test('keeps entries as they were, in their order, and the same one once', async () => {
      await using stores = await start()
      const bare = {
        ...entry,
        outcome: 'ERR_PAYLOAD_SHAPE' as const,
        organizationId: undefined,
        accountId: undefined,
        employeeDigest: undefined,
      }
      for (const one of [entry, bare, { ...entry, at: later(1) }]) await record(stores, one)
      expect(await stores.auditEntries()).toEqual([entry, bare])
    })

    test('tells two employees of one request apart, and those that have no digest not', async () => {
      await using stores = await start()
      const other = { ...entry, employeeDigest: 'other' }
      const none = { ...entry, employeeDigest: undefined }
      for (const one of [entry, other, none, none, other, entry]) await record(stores, one)
      expect(await stores.auditEntries()).toEqual([entry, other, none])
    })

    test('keeps none of a transaction that is taken back', async () => {
      await using stores = await start()
      await takeBack(stores, ({ audit }) => audit.record(entry))
      expect(await stores.auditEntries()).toEqual([])
    })
  })

  describe('rate limiter', () => {
    test('lets as many through as may come in a minute of the clock, and says when the next begins', async () => {
      await using stores = await start()
      const limiter = await stores.rateLimiter()
      for (let count = 0; count < 3; count++)
        expect(await limiter.take('p', 3, now)).toEqual({ isAllowed: true })
      expect(await limiter.take('p', 3, now)).toEqual({ isAllowed: false, retryAfterSeconds: 40 })
      expect(await limiter.take('q', 3, now)).toEqual({ isAllowed: true })
      expect(await limiter.take('p', 3, later(39.5))).toEqual({ isAllowed: false, retryAfterSeconds: 1 })
      expect(await limiter.take('p', 3, later(40))).toEqual({ isAllowed: true })
    })

    test('counts a post that comes late, after one of the next minute, in that one', async () => {
      await using stores = await start()
      const limiter = await stores.rateLimiter()
      const decisions = []
      for (let index = 0; index < 300; index++)
        decisions.push(await limiter.take('p', 180, later(index % 2 === 0 ? 40 : 39)))
      expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(180)
      expect(decisions.slice(-2)).toEqual([
        { isAllowed: false, retryAfterSeconds: 60 },
        { isAllowed: false, retryAfterSeconds: 61 },
      ])
    })

    test('begins anew when the clock was set back', async () => {
      await using stores = await start()
      const limiter = await stores.rateLimiter()
      expect(await limiter.take('p', 1, later(3600))).toEqual({ isAllowed: true })
      expect(await limiter.take('p', 1, now)).toEqual({ isAllowed: true })
      expect(await limiter.take('p', 1, now)).toEqual({ isAllowed: false, retryAfterSeconds: 40 })
    })

    test('lets one more through for each that is given back, of the minute that it was taken in', async () => {
      await using stores = await start()
      const limiter = await stores.rateLimiter()
      for (let count = 0; count < 20; count++) {
        expect(await limiter.take('p', 1, now)).toEqual({ isAllowed: true })
        await limiter.giveBack('p', now)
      }
      expect(await limiter.take('p', 1, now)).toEqual({ isAllowed: true })
      expect(await limiter.take('p', 1, now)).toMatchObject({ isAllowed: false })
      expect(await limiter.take('p', 1, later(40))).toEqual({ isAllowed: true })
      await limiter.giveBack('p', now)
      expect(await limiter.take('p', 1, later(40))).toMatchObject({ isAllowed: false })
    })

    test.each([20, 130, 600])(
      'lets exactly %i of so many and fifty at once through, by two processes',
      async max => {
        await using stores = await start()
        const limiters = [await stores.rateLimiter(), await stores.rateLimiter()]
        const decisions = await atOnce(max + 50, async index => limiters[index % 2]?.take('p', max, now))
        // What one process has set aside the other cannot use: both ask until nothing is left.
        const rest = await atOnce(max, async index => limiters[index % 2]?.take('p', max, now))
        expect([...decisions, ...rest].filter(decision => decision?.isAllowed)).toHaveLength(max)
      },
    )
  })

  describe('partner directory', () => {
    const hint = { keyId: undefined, certificateDigest: undefined, issuer: undefined }

    test('finds a partner by its key, else by its issuer', async () => {
      await using stores = await start()
      const [a, b] = [await createPartnerKey({ partnerId: 'a' }), await createPartnerKey({ partnerId: 'b' })]
      const directory = await stores.directory([a.registration, b.registration])
      const keyId = a.registration.keys[0]?.kid
      expect(await directory.find({ ...hint, keyId })).toMatchObject({ id: 'a', policy: 'strict' })
      expect(await directory.find({ ...hint, issuer: b.issuer })).toMatchObject({ id: 'b' })
      expect(await directory.find({ ...hint, keyId, issuer: b.issuer })).toMatchObject({ id: 'a' })
      expect(await directory.find({ ...hint, keyId: 'none' })).toBeUndefined()
      expect(await directory.find(hint)).toBeUndefined()
    })

    test('gets a partner by its id, active or not', async () => {
      await using stores = await start()
      const [a, b] = [await createPartnerKey({ partnerId: 'a' }), await createPartnerKey({ partnerId: 'b' })]
      const directory = await stores.directory([a.registration, { ...b.registration, isActive: false }])
      expect(await directory.get('a')).toMatchObject({ id: 'a', isActive: true })
      expect(await directory.get('b')).toMatchObject({ id: 'b', isActive: false })
      expect(await directory.get('c')).toBeUndefined()
    })

    test('finds the only partner for a token that names nobody', async () => {
      await using stores = await start()
      const directory = await stores.directory([(await createPartnerKey({ partnerId: 'a' })).registration])
      expect(await directory.find(hint)).toMatchObject({ id: 'a' })
    })

    test.each([
      ['id', { id: 'a' }],
      ['issuer', { issuer: 'https://a.example' }],
    ])('refuses two partners with one %s', async (_name, same) => {
      await using stores = await start()
      const [a, b] = [await createPartnerKey({ partnerId: 'a' }), await createPartnerKey({ partnerId: 'b' })]
      await expect(stores.directory([a.registration, { ...b.registration, ...same }])).rejects.toThrow()
    })

    test('refuses two partners with a key of one name, unless each has an issuer', async () => {
      await using stores = await start()
      const [a, b] = [await createPartnerKey({ partnerId: 'a' }), await createPartnerKey({ partnerId: 'b' })]
      const one = { ...a.registration, issuer: 'https://a.example' }
      const other = { ...b.registration, keys: a.registration.keys, issuer: 'https://b.example' }
      const keyId = a.registration.keys[0]?.kid
      for (const registrations of [
        [one, { ...other, issuer: undefined }],
        [{ ...one, issuer: undefined }, other],
      ])
        await expect(stores.directory(registrations)).rejects.toThrow(/partners a and b .* same name/)
      const directory = await stores.directory([one, other])
      expect(await directory.find({ ...hint, keyId, issuer: other.issuer })).toMatchObject({ id: 'b' })
      expect(await directory.find({ ...hint, keyId })).toBeUndefined()
    })
  })
})
