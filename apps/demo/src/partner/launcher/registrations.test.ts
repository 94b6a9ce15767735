import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../create-partner.ts'
import { createHourRegistrations } from './registrations.ts'

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
