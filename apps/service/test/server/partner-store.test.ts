import type { PartnerRegistration } from '@service-link/receiver'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { warnOfPartners } from '../../src/server/partner-link/keep-partners.ts'
import { createSecretSealer } from '../../src/server/partner-link/partner-rows.ts'
import { createPartnerStore, type PartnerStoreOptions } from '../../src/server/partner-link/partner-store.ts'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { keepLog } from '../support/log.ts'
import { makeTestDatabase } from '../support/stores.ts'
import { makeCertificate } from '../support/tls-front.ts'

const dayMs = 24 * 60 * 60 * 1000
const secret = Buffer.alloc(32, 'do-not-print').toString('base64url')
const sealer = createSecretSealer('x'.repeat(32))

/** A database in a folder with the stores of several processes. */
async function startStores() {
  await using resources = new AsyncDisposableStack()
  const testDatabase = resources.use(await makeTestDatabase())
  const { logger, lines } = keepLog()
  const clock = { ms: Date.now() }
  const openStore = async (options: Partial<PartnerStoreOptions> = {}) => {
    const { database } = await testDatabase.open()
    const store = createPartnerStore({
      database,
      sealer,
      logger,
      clock: () => new Date(clock.ms),
      ...options,
    })
    return { ...store, database }
  }
  const owned = resources.move()
  return { openStore, lines, logger, clock, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function withSecret(id: string, kid: string, more: Partial<PartnerRegistration> = {}): PartnerRegistration {
  return { id, name: id, keys: [{ kind: 'secret', kid, secret }], ...more }
}

function withCertificate(id: string, pem: string, ...more: PartnerRegistration['keys']): PartnerRegistration {
  return { id, name: id, keys: [{ kind: 'x509', pem }, ...more] }
}

const hint = (keyId: string) => ({ keyId, certificateDigest: undefined, issuer: undefined })

test('a partner put by one process appears at the next refresh of another; keys are imported once', async () => {
  await using stores = await startStores()
  const [first, second] = [await stores.openStore(), await stores.openStore()]
  await first.put([withSecret('a', 'a1'), withSecret('b', 'b1')])
  expect(await second.directory.find(hint('a1'))).toBeUndefined()
  await second.refresh()
  const before = await second.directory.find(hint('b1'))
  expect(before).toMatchObject({ id: 'b' })
  await first.put([withSecret('a', 'a2'), withSecret('b', 'b1')])
  await second.refresh()
  expect(await second.directory.find(hint('a1'))).toBeUndefined()
  expect(await second.directory.find(hint('a2'))).toMatchObject({ id: 'a' })
  // The same object: its key sets stay fetched while another partner changes.
  expect(await second.directory.find(hint('b1'))).toBe(before)
})

test('an unchanged put changes nothing, and a refresh without changes reads no partner', async () => {
  await using stores = await startStores()
  const store = await stores.openStore()
  const registrations = [withSecret('a', 'a1', { issuer: 'https://a.example' }), withSecret('b', 'b1')]
  const read = () => store.database.selectFrom('partner_versions').selectAll().execute()
  await store.put(registrations)
  const version = await read()
  await store.put(registrations)
  expect(await read()).toEqual(version)
  await store.database.deleteFrom('partners').execute()
  await store.refresh()
  expect(store.partners()).toHaveLength(2)
})

test('a partner missing from the put is removed with every key', async () => {
  await using stores = await startStores()
  const store = await stores.openStore()
  await store.put([withSecret('a', 'a1'), withSecret('b', 'b1')])
  await store.put([withSecret('b', 'b1')])
  expect(await store.directory.find(hint('a1'))).toBeUndefined()
  expect(await store.database.selectFrom('partners').select('id').execute()).toEqual([{ id: 'b' }])
})

test('secrets appear neither in the database nor in the log', async () => {
  await using stores = await startStores()
  const store = await stores.openStore()
  await store.put([withSecret('a', 'a1')])
  const rows = await store.database.selectFrom('partners').selectAll().execute()
  expect(JSON.stringify(rows)).toContain('a1')
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(stores.lines.join('')).not.toContain(secret)
})

test('a partner with an unreadable secret is skipped, and the others work', async () => {
  await using stores = await startStores()
  const { registration: other } = await createPartnerKey('b')
  await (await stores.openStore()).put([withSecret('a', 'a1'), other])
  const store = await stores.openStore({ sealer: createSecretSealer('y'.repeat(32)) })
  await store.refresh()
  expect(store.partners().map(({ id }) => id)).toEqual(['b'])
  expect(stores.lines.join('')).toMatch(/"partnerId":"a","code":"ERR_SEALED_SECRET"/)
  // The file's registrations repair it.
  await store.put([withSecret('a', 'a1'), other])
  expect(await store.directory.find(hint('a1'))).toMatchObject({ id: 'a' })
})

test('a certificate that has expired since registration stays; a warning starts 30 days before', async () => {
  await using stores = await startStores()
  const { openStore, clock, logger, lines } = stores
  const { cert } = await makeCertificate(['a.example'])
  const registrations = [withCertificate('a', cert), withSecret('b', 'b1')]
  const store = await openStore()
  await store.put(registrations)
  const warnings = () => {
    const before = lines.length
    warnOfPartners(store.partners(), new Date(clock.ms), logger)
    return lines.slice(before).map(line => JSON.parse(line))
  }
  const thumbprint = store.partners()[0]?.keys[0]?.certificate?.thumbprint
  expect(warnings()).toMatchObject([{ level: 40, partnerId: 'a', thumbprint, msg: /expires soon/ }])
  clock.ms -= 60 * dayMs
  expect(warnings()).toEqual([])
  clock.ms += 62 * dayMs
  expect(warnings()).toMatchObject([{ level: 40, partnerId: 'a', thumbprint, msg: /has expired/ }])
  // A restart, and a change of another partner.
  const restarted = await openStore()
  await restarted.put(registrations)
  await restarted.put([withCertificate('a', cert), withSecret('b', 'b2')])
  expect(restarted.partners().map(({ id }) => id)).toEqual(['a', 'b'])
  await store.put([{ ...withSecret('b', 'b1'), policy: 'lenient', repeatable: true }])
  expect(warnings()).toMatchObject([{ level: 40, partnerId: 'b', msg: /never end/ }])
})

test.each([
  ['expired', 3, 'expired at'],
  ['not valid yet', -3, 'is not valid before'],
])('a new certificate that is %s is refused without any change', async (_name, days, words) => {
  await using stores = await startStores()
  const { openStore, clock } = stores
  const store = await openStore()
  await store.put([withSecret('a', 'a1')])
  const { cert } = await makeCertificate(['a.example'])
  clock.ms += days * dayMs
  const change = [withSecret('b', 'b1'), withCertificate('a', cert)]
  await expect(store.put(change)).rejects.toMatchObject({
    code: 'ERR_PARTNER_REGISTRATION',
    message: expect.stringMatching(new RegExp(`^Partner a: .*keys\\.0.* [0-9A-F]{64} .*${words}`)),
  })
  expect(store.partners().map(({ id }) => id)).toEqual(['a'])
})

test.each([
  [
    'a weak secret',
    [withSecret('a', 'a1', { keys: [{ kind: 'secret', secret: 'c2hvcnQ' }] })],
    /^Partner a: .*keys\.0/,
  ],
  ['one id twice', [withSecret('a', 'a1'), withSecret('a', 'a2')], /^Partner a is registered twice/],
  ['an id that is none', [withSecret('do not print', 'a1')], /^Partner without a proper id: .*id/],
  ['another shape', [withSecret('a', 'a1', { name: '' })], /^Partner a: .*name/],
])('%s is refused without repeating any of it', async (_name, registrations, message) => {
  await using stores = await startStores()
  const store = await stores.openStore()
  const error = await store.put(registrations).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'ERR_PARTNER_REGISTRATION', message: expect.stringMatching(message) })
  expect(String(error)).not.toMatch(/do not print|c2hvcnQ/)
})

/** Delays the first answer with registrations. */
function holdFirstRows() {
  const { promise: isHeld, resolve: tellHeld } = Promise.withResolvers<void>()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let isFirst = true
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isFirst || !result.rows.some(row => 'registration' in row)) return result
      isFirst = false
      tellHeld()
      await isReleased
      return result
    },
  }
  return { plugin, isHeld, release }
}

test('a late result of an earlier refresh does not restore a removed key', async () => {
  await using stores = await startStores()
  const other = await stores.openStore()
  await other.put([withSecret('a', 'a1')])
  const { plugin, isHeld, release } = holdFirstRows()
  const store = await stores.openStore({ database: other.database.withPlugin(plugin) })
  const first = store.refresh()
  await isHeld
  await other.put([])
  const second = store.refresh()
  // Enough time for the second to end first, if it did not wait.
  const askMuch = async () => {
    for (let count = 0; count < 100; count++)
      await other.database.selectFrom('partner_versions').selectAll().execute()
  }
  await Promise.race([second, askMuch()])
  release()
  await Promise.all([first, second])
  expect(await store.directory.find(hint('a1'))).toBeUndefined()
})

test('a failing refresh does not block later ones', async () => {
  await using stores = await startStores()
  const other = await stores.openStore()
  await other.put([withSecret('a', 'a1')])
  let isBroken = true
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isBroken) throw new Error('broken')
      return result
    },
  }
  const store = await stores.openStore({ database: other.database.withPlugin(plugin) })
  await expect(store.refresh()).rejects.toThrow('broken')
  isBroken = false
  await store.refresh()
  expect(await store.directory.find(hint('a1'))).toMatchObject({ id: 'a' })
})

test('two concurrent puts leave one of the two results', async () => {
  await using stores = await startStores()
  const [first, second] = [await stores.openStore(), await stores.openStore()]
  await Promise.all([first.put([withSecret('a', 'a1')]), second.put([withSecret('b', 'b1')])])
  await Promise.all([first.refresh(), second.refresh()])
  expect(first.partners()).toHaveLength(1)
  expect(second.partners().map(({ id }) => id)).toEqual(first.partners().map(({ id }) => id))
})
