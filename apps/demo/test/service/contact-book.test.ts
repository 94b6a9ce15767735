import type { ContactMatch } from '@service-link/jwt-payload/receiver'
import { type ContractStores, storeContractWorld } from '@service-link/jwt-payload/receiver/testing'
import type { Person } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { databaseStores, memoryStores } from '../support/stores.ts'

const [{ id: accountId } = { id: '' }] = storeContractWorld.accounts
const context = { accountId, organizationName: undefined }

const put = (stores: ContractStores, person: Person, partnerId = 'p') =>
  stores.runTransaction(({ contacts }) => contacts.put({ partnerId, organizationId: 'o' }, person, context))

const idOf = (match: ContactMatch) => ('contactId' in match ? match.contactId : undefined)

const candidatesOf = (match: ContactMatch) =>
  'candidates' in match ? match.candidates.map(({ contactId }) => contactId) : undefined

const kari: Person = { customId: 'c-1', firstname: 'Kari', ssn: '12857948392', dateOfBirth: '1979-05-12' }

describe.each([
  ['in memory', memoryStores],
  ['in the database', databaseStores],
])('[2.1] the contact book %s', (_kind, start) => {
  test.each<[string, Person, Person]>([
    ['another identity number', { ssn: '12857948392' }, { ssn: '24889312576', dateOfBirth: '1997-05-12' }],
    [
      'another date of birth',
      { dateOfBirth: '1979-05-12' },
      { ssn: '24889312576', dateOfBirth: '1997-05-12' },
    ],
    ['another first name', { firstname: 'Kari' }, { firstname: 'Ola', ssn: '24889312576' }],
    [
      'another last name',
      { lastname: 'Moe', dateOfBirth: '1979-05-12' },
      { lastname: 'Li', dateOfBirth: '1979-05-12' },
    ],
  ])('puts nobody in focus who has the CustomId and %s, and writes nothing', async (_name, known, sent) => {
    await using stores = await start()
    const made = await put(stores, { customId: 'c-1', firstname: 'Kari', ...known })
    const match = await put(stores, { customId: 'c-1', email: 'ola@example.com', gender: 'male', ...sent })
    expect(match).toMatchObject({
      kind: 'choose',
      candidates: [{ contactId: idOf(made), firstname: 'Kari' }],
    })
    expect(candidatesOf(match)).toHaveLength(1)
    // Had it been filled with the other's, its own would contradict it now.
    const own = { customId: 'c-1', ...known, dateOfBirth: '1979-05-12', ssn: '12857948392' }
    expect(idOf(await put(stores, own))).toBe(idOf(made))
  })

  test('nor who has the identity number and another date of birth', async () => {
    await using stores = await start()
    const made = await put(stores, kari)
    const match = await put(stores, { ...kari, customId: 'other', dateOfBirth: '1997-05-12' })
    expect([match.kind, candidatesOf(match)]).toEqual(['choose', [idOf(made)]])
  })

  test('offers whoever has the identity number, too', async () => {
    await using stores = await start()
    const made = await put(stores, kari)
    const ola = await put(stores, { customId: 'c-2', ssn: '24889312576' })
    const match = await put(stores, { customId: 'c-1', ssn: '248893 12576' })
    expect([match.kind, candidatesOf(match)]).toEqual(['choose', [idOf(made), idOf(ola)]])
  })

  test('nor who has the identity number and another name', async () => {
    await using stores = await start()
    const made = await put(stores, kari)
    const match = await put(stores, { customId: 'other', firstname: 'Ola', ssn: '12857948392' }, 'q')
    expect([match.kind, candidatesOf(match)]).toEqual(['choose', [idOf(made)]])
    expect((await put(stores, { customId: 'other' }, 'q')).kind).toBe('created')
  })

  test.each<[string, Person]>([
    ['another name', { firstname: 'Ola', ssn: '24889312576' }],
    ['no name', { ssn: '24889312576', email: 'ola@example.com' }],
    ['the same name', { firstname: 'Kari', lastname: 'Moe' }],
    ['nothing else', {}],
  ])(
    'never takes another partner’s contact of the CustomId for the one sent with %s',
    async (_name, sent) => {
      await using stores = await start()
      const person = { customId: 'c-1', firstname: 'Kari', lastname: 'Moe' }
      const made = await put(stores, person)
      const match = await put(stores, { customId: 'c-1', ...sent }, 'q')
      expect(match.kind).toBe('created')
      expect(idOf(match)).not.toBe(idOf(made))
      // Had it been filled, it would be contradicted.
      const own = { ...person, ssn: '12857948392' }
      expect(await put(stores, own)).toEqual({ kind: 'selected', contactId: idOf(made) })
      expect(await put(stores, { customId: 'c-1', ...sent }, 'q')).toEqual({ ...match, kind: 'selected' })
    },
  )

  test('keeps the CustomIds of two partners whom the identity number tells that they mean one person', async () => {
    await using stores = await start()
    const made = await put(stores, kari)
    const selected = { kind: 'selected', contactId: idOf(made) }
    expect(await put(stores, { ...kari, customId: 'q-1' }, 'q')).toEqual(selected)
    expect(await put(stores, { customId: 'c-1' })).toEqual(selected)
    expect(await put(stores, { customId: 'q-1' }, 'q')).toEqual(selected)
    expect((await put(stores, { customId: 'q-1' })).kind).toBe('created')
    expect((await put(stores, { customId: 'c-1' }, 'q')).kind).toBe('created')
  })

  test('makes one of many that two partners send at once, whom both find afterwards', async () => {
    await using stores = await start()
    const sent = ['p', 'q'].flatMap(partnerId => Array.from({ length: 5 }, () => partnerId))
    const matches = await Promise.all(
      sent.map(partnerId => put(stores, { ...kari, customId: `of-${partnerId}` }, partnerId)),
    )
    expect(matches.filter(({ kind }) => kind === 'created')).toHaveLength(1)
    expect(new Set(matches.map(idOf)).size).toBe(1)
    for (const partnerId of ['p', 'q'])
      expect(matches.map(idOf)).toContain(idOf(await put(stores, { customId: `of-${partnerId}` }, partnerId)))
  })

  test.each([['128579 48392'], ['128579-48392'], ['１２８５７９４８３９２']])(
    'finds an identity number that is written %s',
    async ssn => {
      await using stores = await start()
      const made = await put(stores, kari)
      expect(await put(stores, { customId: 'other', ssn })).toEqual({
        kind: 'selected',
        contactId: idOf(made),
      })
      expect(await put(stores, { ...kari, ssn })).toEqual({ kind: 'selected', contactId: idOf(made) })
    },
  )

  test('takes a text without a digit for the identity number of nobody', async () => {
    await using stores = await start()
    expect((await put(stores, { customId: 'c-1', ssn: 'unknown' })).kind).toBe('created')
    expect((await put(stores, { customId: 'c-2', ssn: 'unknown' })).kind).toBe('created')
  })

  test('makes one of two that send a number in two ways at once', async () => {
    await using stores = await start()
    const matches = await Promise.all([
      put(stores, kari),
      put(stores, { customId: 'other', ssn: '128579 48392' }),
    ])
    expect(matches.map(({ kind }) => kind).toSorted()).toEqual(['created', 'selected'])
  })

  test('selects one of two that contradict each other at once', async () => {
    await using stores = await start()
    const made = await put(stores, { customId: 'c-1' })
    const matches = await Promise.all([
      put(stores, { customId: 'c-1', ssn: '12857948392', email: 'kari@example.com' }),
      put(stores, { customId: 'c-1', ssn: '24889312576', email: 'ola@example.com' }),
    ])
    expect(matches.map(({ kind }) => kind).toSorted()).toEqual(['choose', 'selected'])
    expect(matches.flatMap(match => idOf(match) ?? candidatesOf(match))).toEqual([idOf(made), idOf(made)])
  })
})
