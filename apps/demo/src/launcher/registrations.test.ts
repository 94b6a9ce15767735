import { createPartnerDirectory, type PartnerRegistration } from '@service-link/receiver'
import { createPartnerKey } from '@service-link/service/testing'
import { describe, expect, test } from 'vitest'
import { createHourRegistrations, hourRegistrationSchema } from './registrations.ts'

async function startRegistrations() {
  const journal = (await createPartnerKey()).registration
  const partners: PartnerRegistration[] = []
  const clock = { now: Date.now() }
  const replace = async (all: readonly PartnerRegistration[]) =>
    void partners.splice(0, partners.length, ...all)
  const { add } = createHourRegistrations(journal, replace, () => clock.now)
  const wanted = async (issuer: string) => ({
    key: JSON.stringify((await createPartnerKey()).publicKey),
    ...{ kid: '', issuer, isActive: true, maxPostsPerMinute: 100, repeatable: false },
  })
  return { journal, partners, clock, add, wanted }
}

describe('a registration for an hour', () => {
  test('never replaces another one: its iss is refused, also the journal’s', async () => {
    const { journal, partners, add, wanted } = await startRegistrations()
    const mine = await wanted('https://own.example')
    await add(mine)
    const before = [...partners]
    const others = [
      await wanted('https://own.example'),
      await wanted(String(journal.issuer)),
      // The same key is public, so it proves no owner.
      { ...mine, isActive: false },
      { ...mine, repeatable: true },
    ]
    for (const other of others) await expect(add(other)).rejects.toThrow('Another registration has this iss')
    await expect(
      Promise.allSettled([
        add(await wanted('https://two.example')),
        add(await wanted('https://two.example')),
      ]),
    ).resolves.toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }])
    expect(partners.slice(0, 2)).toEqual(before)
  })

  test.each([
    ['the journal’s', 'journal', 'https://own.example'],
    ['another registration’s', 'other', 'https://own.example'],
    ['that another key has by itself', 'thumbprint', ''],
  ] as const)('takes no kid of another key: %s', async (_title, whose, issuer) => {
    const { journal, partners, add, wanted } = await startRegistrations()
    const { kid: thumbprint } = await add(await wanted('https://first.example'))
    await add({ ...(await wanted('https://second.example')), kid: 'other' })
    const before = [...partners]
    const kids = { journal: journal.keys[0]?.kid ?? '', other: 'other', thumbprint: thumbprint ?? '' }
    const mine = await wanted(issuer)
    const jwk = JSON.stringify({ ...JSON.parse(mine.key), kid: kids[whose] })
    for (const one of [
      { ...mine, kid: kids[whose] },
      { ...mine, key: jwk },
      {
        ...mine,
        kid: kids[whose],
        key: Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url'),
      },
    ])
      await expect(add(one)).rejects.toThrow('Another registration has this kid')
    expect(partners).toEqual(before)
    const directory = await createPartnerDirectory(partners)
    for (const keyId of Object.values(kids))
      expect(await directory.find({ keyId, certificateDigest: undefined, issuer: undefined })).toBeDefined()
  })

  test('takes no key of the journal, and one of its own again with another policy', async () => {
    const { journal, partners, add, wanted } = await startRegistrations()
    const [known] = journal.keys
    if (known?.kind !== 'jwk') throw new Error('The journal has no JSON Web Key.')
    const copied = { ...(await wanted('')), key: JSON.stringify(known.jwk) }
    await expect(add(copied)).rejects.toThrow('Another registration has this key')
    const mine = await wanted('')
    await add(mine)
    await add({ ...mine, isActive: false })
    expect(partners).toHaveLength(3)
  })

  test('an iss that differs from a taken one by case or white space alone is taken', async () => {
    const { journal, add, wanted } = await startRegistrations()
    for (const issuer of [
      `${journal.issuer} `,
      `\u00a0${journal.issuer}`,
      String(journal.issuer).toUpperCase(),
    ])
      await expect(add(await wanted(issuer))).rejects.toThrow('Another registration has this iss')
  })

  test('names with control characters or half characters are refused', async () => {
    const mine = await (await startRegistrations()).wanted('https://own.example')
    expect(hourRegistrationSchema.safeParse(mine).success).toBe(true)
    for (const odd of ['a\0', 'a\nb', '\u0085', 'a\ud800'])
      for (const name of ['issuer', 'kid'])
        expect(hourRegistrationSchema.safeParse({ ...mine, [name]: odd }).success).toBe(false)
  })

  test('the same one twice is one registration, which ends when it did', async () => {
    const { partners, clock, add, wanted } = await startRegistrations()
    const mine = await wanted('')
    const first = await add(mine)
    clock.now += 1000
    expect(await add(mine)).toEqual(first)
    expect(partners).toHaveLength(2)
  })

  test('the 21st is refused until the first has ended', async () => {
    const { partners, clock, add, wanted } = await startRegistrations()
    const first = await add(await wanted(''))
    for (let count = 1; count < 20; count++) await add(await wanted(''))
    const before = [...partners]
    const further = await wanted('https://further.example')
    await expect(add(further)).rejects.toThrow(
      `There are 20 registrations. The first of them ends at ${first.endsAt}.`,
    )
    expect(partners).toEqual(before)
    clock.now = Date.parse(first.endsAt)
    await add(further)
    expect(partners.map(({ issuer }) => issuer)).toEqual([before[0]?.issuer, 'https://further.example'])
  })
})
