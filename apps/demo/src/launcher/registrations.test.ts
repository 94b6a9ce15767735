import { createPartnerDirectory, type PartnerRegistration } from '@service-link/receiver'
import { createPartnerKey } from '@service-link/service/testing'
import { expect, test } from 'vitest'
import { createRegistrations, registrationSchema } from './registrations.ts'

async function startRegistrations() {
  const journal = (await createPartnerKey()).registration
  const partners: PartnerRegistration[] = []
  const { add } = createRegistrations(journal, async all => {
    await createPartnerDirectory(all)
    partners.splice(0, partners.length, ...all)
  })
  const wanted = async (issuer: string) => ({
    key: JSON.stringify((await createPartnerKey()).publicKey),
    ...{ kid: '', issuer, isActive: true, maxPostsPerMinute: 100, repeatable: false },
  })
  return { journal, partners, add, wanted }
}

test('registrations stay beside each other; one of the same iss is replaced, the journal is not', async () => {
  const { journal, partners, add, wanted } = await startRegistrations()
  await expect(add(await wanted(String(journal.issuer)))).rejects.toThrow('the same issuer')
  const issuer = 'https://own.example'
  await Promise.all([add(await wanted(issuer)), add(await wanted('')), add(await wanted(issuer))])
  expect(partners).toHaveLength(3)
  expect(partners[0]).toBe(journal)
  expect(partners[2]?.issuer).toBe(issuer)
})

test('names with control characters or half characters are refused', async () => {
  const mine = await (await startRegistrations()).wanted('https://own.example')
  expect(registrationSchema.safeParse(mine).success).toBe(true)
  for (const odd of ['a\0', 'a\nb', '\u0085', 'a\ud800'])
    for (const name of ['issuer', 'kid'])
      expect(registrationSchema.safeParse({ ...mine, [name]: odd }).success).toBe(false)
})
