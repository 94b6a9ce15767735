import { X509Certificate } from 'node:crypto'
import { mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartnerRegistration } from '@service-link/receiver'
import { selfSigned } from '@service-link/test-kit/self-signed'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/server/database/failures.ts'
import {
  createPartnerStore,
  keepPartners,
  PartnerRegistrationError,
  warnOfPartners,
  watchPartnersFile,
} from '../../src/server/partner-link/keep-partners.ts'
import { keepLog } from '../support/log.ts'
import { makeTestDatabase, type TestDatabase } from '../support/stores.ts'

const dayMs = 24 * 60 * 60 * 1000
const secret = Buffer.alloc(32, 'do-not-print').toString('base64url')

const withSecret = (
  id: string,
  kid: string,
  more: Partial<PartnerRegistration> = {},
): PartnerRegistration => ({
  id,
  name: id,
  keys: [{ kind: 'secret', kid, secret }],
  ...more,
})

const withCertificate = (id: string, pem: string): PartnerRegistration => ({
  id,
  name: id,
  keys: [{ kind: 'x509', pem }],
})

describe('the registered partners', () => {
  let testDatabase: TestDatabase
  let store: ReturnType<typeof createPartnerStore>
  const clock = { ms: 0 }
  const { cert } = selfSigned('a.example')
  const { validFromDate, validToDate } = new X509Certificate(cert)
  beforeEach(async () => {
    clock.ms = Date.now()
    testDatabase = await makeTestDatabase()
    store = createPartnerStore((await testDatabase.open()).database, () => new Date(clock.ms))
  })
  afterEach(() => testDatabase[Symbol.asyncDispose]())

  const find = (keyId: string) =>
    store.directory.find({ keyId, certificateDigest: undefined, issuer: undefined })

  test('are replaced as a whole; keys of an unchanged one are imported once', async () => {
    await store.put([withSecret('a', 'a1'), withSecret('b', 'b1'), withSecret('c', 'c1')])
    const before = await find('b1')
    await store.put([withSecret('a', 'a2'), withSecret('b', 'b1')])
    expect([await find('a1'), await find('c1')]).toEqual([undefined, undefined])
    expect(await find('a2')).toMatchObject({ id: 'a' })
    // The same object: its key sets stay fetched while another partner changes.
    expect(await find('b1')).toBe(before)
  })

  test('a late result of an earlier change restores no removed key, and a refused one stops no later one', async () => {
    const slow = Array.from({ length: 50 }, (_, index) => withSecret(`p${index}`, `k${index}`))
    const puts = [
      store.put(slow),
      store.put([withSecret('a', 'a1', { name: '' })]),
      store.put([withSecret('b', 'b1')]),
    ]
    expect((await Promise.allSettled(puts)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(store.partners().map(({ id }) => id)).toEqual(['b'])
  })

  test('keep a certificate that has expired since; a warning starts 30 days before', async () => {
    const { logger, lines } = keepLog()
    clock.ms = validToDate.getTime() - dayMs
    await store.put([withCertificate('a', cert), withSecret('b', 'b1')])
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
    await store.put([withCertificate('a', cert), withSecret('b', 'b2')])
    await store.put([withCertificate('a', cert), withSecret('a2', 'a')], { isStart: true })
    await store.put([{ ...withCertificate('a', cert), name: 'A' }])
    expect(store.partners()).toMatchObject([{ id: 'a', name: 'A' }])
    await store.put([{ ...withSecret('b', 'b1'), policy: 'lenient', repeatable: true }])
    expect(warnings()).toMatchObject([{ level: 40, partnerId: 'b', msg: /never end/ }])
    // A restart.
    await store.put([withCertificate('a', cert)], { isStart: true })
    expect(store.partners().map(({ id }) => id)).toEqual(['a'])
  })

  test.each([
    ['expired', false, 3, 'expired at'],
    ['not valid yet', false, -3, 'is not valid before'],
    ['not valid yet, at the start', true, -3, 'is not valid before'],
  ])('refuse a new certificate that is %s, without any change', async (_name, isStart, days, words) => {
    await store.put([withSecret('a', 'a1')])
    clock.ms = (days > 0 ? validToDate : validFromDate).getTime() + days * dayMs
    const change = [withSecret('b', 'b1'), withCertificate('a', cert)]
    await expect(store.put(change, { isStart })).rejects.toMatchObject({
      code: 'ERR_PARTNER_REGISTRATION',
      message: expect.stringMatching(new RegExp(`^Partner a: .*keys\\.0.* [0-9A-F]{64} .*${words}`)),
    })
    expect(store.partners().map(({ id }) => id)).toEqual(['a'])
  })

  test.each([
    [
      'a weak secret',
      withSecret('a', 'a1', { keys: [{ kind: 'secret', secret: 'c2hvcnQ' }] }),
      /^Partner a: .*keys\.0/,
    ],
    ['an id that is none', withSecret('do not print', 'a1'), /^Partner without a proper id: .*id/],
    ['another shape', withSecret('a', 'a1', { name: '' }), /^Partner a: .*name/],
  ])('refuse %s without repeating any of it', async (_name, registration, message) => {
    const error = await store.put([registration]).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'ERR_PARTNER_REGISTRATION', message: expect.stringMatching(message) })
    expect(String(error)).not.toMatch(/do not print|c2hvcnQ/)
  })
})

test('a running service follows the partners’ file', async () => {
  await using testDatabase = await makeTestDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-file-'))
  const file = join(folder.path, 'partners.json')
  const { database } = await testDatabase.open()
  const options = { database, registrations: [withSecret('a', 'a1')], file, refreshMs: 1 }
  await using partners = await keepPartners({ ...options, logger: keepLog().logger })
  await writeFile(file, JSON.stringify([withSecret('b', 'b1')]))
  await expect.poll(() => partners.partners().map(({ id }) => id), { timeout: 60_000 }).toEqual(['b'])
})

describe('the partners’ file', () => {
  async function start(put: (ids: string[]) => Promise<void>) {
    const folder = await mkdtempDisposable(join(tmpdir(), 'service-link-file-'))
    const path = join(folder.path, 'partners.json')
    const { logger, lines } = keepLog()
    const look = watchPartnersFile({
      path,
      put: registrations => put(registrations.map(({ id }) => id)),
      logger,
    })
    const write = (...ids: string[]) => writeFile(path, JSON.stringify(ids.map(id => withSecret(id, id))))
    const reasons = () => lines.map(line => JSON.parse(line)).map(({ msg, reason }) => `${msg}: ${reason}`)
    return { path, look, write, reasons, [Symbol.asyncDispose]: () => folder.remove() }
  }

  test('a changed file is put once, after two equal reads', async () => {
    const put: string[][] = []
    await using file = await start(async ids => void put.push(ids))
    await file.write('a')
    await file.look()
    await file.write('a', 'b')
    await file.look()
    expect(put).toEqual([])
    await file.look()
    await file.look()
    expect(put).toEqual([['a', 'b']])
  })

  test('an invalid file is logged once, and the next change counts again', async () => {
    const put: string[][] = []
    await using file = await start(async ids => {
      if (ids.includes('broken')) throw new PartnerRegistrationError('Partner broken: no.')
      put.push(ids)
    })
    for (const change of [
      () => writeFile(file.path, '[{'),
      () => writeFile(file.path, '[{"id":"do not print"}]'),
      () => file.write('broken'),
      () => rm(file.path),
      () => file.write('a'),
    ]) {
      await change()
      for (let looks = 0; looks < 4; looks++) await file.look()
    }
    expect(put).toEqual([['a']])
    expect(file.reasons()).toEqual([
      expect.stringMatching(/^partners file refused: PARTNERS_FILE: .* is not JSON/),
      expect.stringMatching(/^partners file refused: PARTNERS_FILE: .*0\.id/s),
      'partners file refused: Partner broken: no.',
      'partners file refused: The file cannot be read.',
    ])
    expect(file.reasons().join()).not.toContain('do not print')
  })

  test('a put that the database missed is repeated at the next look', async () => {
    let failures = 1
    const put: string[][] = []
    await using file = await start(async ids => {
      if (failures-- > 0) throw new DatabaseUnavailableError()
      put.push(ids)
    })
    await file.write('a')
    await file.look()
    await expect(file.look()).rejects.toThrow(DatabaseUnavailableError)
    await file.look()
    expect(put).toEqual([['a']])
  })
})
