import type { Person } from '@service-link/protocol-core/person'
import type { ContactMatch } from '../stores/ports.ts'
import { findContradictions } from '../stores/same-person.ts'
import {
  assertSame,
  atOnce,
  type ContractCases,
  type ContractStores,
  firstAccount,
  otherAccount,
  rollBack,
  transact,
} from './contract-case.ts'

const context = { accountId: firstAccount, organizationName: undefined }

const put = (stores: ContractStores, person: Person, partnerId = 'p', accountId: string = firstAccount) =>
  transact(stores, ({ contacts }) =>
    contacts.put({ partnerId, organizationId: 'o' }, person, { ...context, accountId }),
  )

const idOf = (match: ContactMatch) => ('contactId' in match ? match.contactId : undefined)

const candidatesOf = (match: ContactMatch) =>
  'candidates' in match ? match.candidates.map(({ contactId }) => contactId) : undefined

const selected = (match: ContactMatch) => ({ kind: 'selected', contactId: idOf(match) })

const assertChoice = (match: ContactMatch, ...made: readonly ContactMatch[]) =>
  assertSame([match.kind, candidatesOf(match)], ['choose', made.map(idOf)])

const kari: Person = { customId: 'c-1', firstname: 'Kari', ssn: '12857948392', dateOfBirth: '1979-05-12' }

/** Data of a known contact and of a sent person with the same `customId` that contradict each other. */
const contradictions: Readonly<Record<string, readonly [known: Person, sent: Person]>> = {
  'another identity number': [{ ssn: '12857948392' }, { ssn: '24889312576', dateOfBirth: '1997-05-12' }],
  'another date of birth': [{ dateOfBirth: '1979-05-12' }, { ssn: '24889312576', dateOfBirth: '1997-05-12' }],
  'another first name': [{ firstname: 'Kari' }, { firstname: 'Ola', ssn: '24889312576' }],
  'another last name': [
    { lastname: 'Moe', dateOfBirth: '1979-05-12' },
    { lastname: 'Li', dateOfBirth: '1979-05-12' },
  ],
}

const contradictionCases: ContractCases = Object.fromEntries(
  Object.entries(contradictions).map(([what, [known, sent]]) => [
    `puts nobody in focus who has the CustomId and ${what}, and writes nothing`,
    async stores => {
      const made = await put(stores, { customId: 'c-1', firstname: 'Kari', ...known })
      const match = await put(stores, { customId: 'c-1', email: 'ola@example.com', gender: 'male', ...sent })
      assertChoice(match, made)
      if (match.kind !== 'choose') throw new TypeError('assertChoice has seen it.')
      const [candidate] = match.candidates
      assertSame([match.sent.customId, candidate?.firstname], ['c-1', 'Kari'])
      assertSame(candidate?.contradictions, findContradictions(sent, { firstname: 'Kari', ...known }))
      // A contact filled with the other's data would now contradict its own.
      const own = { customId: 'c-1', ...known, dateOfBirth: '1979-05-12', ssn: '12857948392' }
      assertSame(idOf(await put(stores, own)), idOf(made))
    },
  ]),
)

const sentByAnother: Readonly<Record<string, Person>> = {
  'another name': { firstname: 'Ola', ssn: '24889312576' },
  'no name': { ssn: '24889312576', email: 'ola@example.com' },
  'the same name': { firstname: 'Kari', lastname: 'Moe' },
  'nothing else': {},
}

const otherPartnerCases: ContractCases = Object.fromEntries(
  Object.entries(sentByAnother).map(([what, sent]) => [
    `never takes another partner’s contact of the CustomId for the one sent with ${what}`,
    async stores => {
      const person = { customId: 'c-1', firstname: 'Kari', lastname: 'Moe' }
      const made = await put(stores, person)
      const match = await put(stores, { customId: 'c-1', ...sent }, 'q')
      assertSame(match.kind, 'created')
      assertSame(idOf(match) === idOf(made), false)
      // A contact filled with the other's data would contradict its own.
      assertSame(await put(stores, { ...person, ssn: '12857948392' }), selected(made))
      assertSame(await put(stores, { customId: 'c-1', ...sent }, 'q'), selected(match))
    },
  ]),
)

const spellingCases: ContractCases = Object.fromEntries(
  ['128579 48392', '128579-48392', '１２８５７９４８３９２'].map(ssn => [
    `finds an identity number that is written ${ssn}`,
    async stores => {
      const made = await put(stores, kari)
      assertSame(await put(stores, { customId: 'other', ssn }), selected(made))
      assertSame(await put(stores, { ...kari, ssn }), selected(made))
    },
  ]),
)

/** The contract of a `ContactBook`. */
export const contactBookCases: ContractCases = {
  'makes a contact once, and finds it by its id, then by its number': async stores => {
    const made = await put(stores, { customId: 'c', ssn: '12857948392' })
    assertSame(made.kind, 'created')
    assertSame(await put(stores, { customId: 'c' }), selected(made))
    assertSame(await put(stores, { customId: 'other', ssn: '12857948392' }), selected(made))
    assertSame((await put(stores, { customId: 'third' })).kind, 'created')
  },
  'keeps contacts of two organizations of the service apart': async stores => {
    const made = await put(stores, kari)
    const elsewhere = await put(stores, kari, 'p', otherAccount)
    assertSame(elsewhere.kind, 'created')
    assertSame(await put(stores, { ...kari, customId: 'c-2' }), selected(made))
    assertSame(await put(stores, { customId: 'c-1' }, 'p', otherAccount), selected(elsewhere))
  },
  'makes one contact of ten puts at once': async stores => {
    const matches = await atOnce(10, () => put(stores, { customId: 'c', firstname: 'Åse' }))
    assertSame(matches.filter(({ kind }) => kind === 'created').length, 1)
    assertSame(new Set(matches.map(idOf)).size, 1)
  },
  'has no contact of a transaction that rolls back': async stores => {
    const organization = { partnerId: 'p', organizationId: 'o' }
    await rollBack(stores, ({ contacts }) => contacts.put(organization, { customId: 'c' }, context))
    assertSame((await put(stores, { customId: 'c' })).kind, 'created')
  },
  ...contradictionCases,
  'offers a contact that has the identity number and another date of birth': async stores => {
    const made = await put(stores, kari)
    assertChoice(await put(stores, { ...kari, customId: 'other', dateOfBirth: '1997-05-12' }), made)
  },
  'offers a contact that has the identity number and another name': async stores => {
    const made = await put(stores, kari)
    assertChoice(await put(stores, { customId: 'other', firstname: 'Ola', ssn: '12857948392' }, 'q'), made)
    assertSame((await put(stores, { customId: 'other' }, 'q')).kind, 'created')
  },
  'offers the contacts of the identity number beside the contradicted one': async stores => {
    const made = await put(stores, kari)
    const ola = await put(stores, { customId: 'c-2', ssn: '24889312576' })
    assertChoice(await put(stores, { customId: 'c-1', ssn: '248893 12576' }), ola, made)
  },
  ...otherPartnerCases,
  'keeps the CustomIds of two partners that send one identity number': async stores => {
    const made = await put(stores, kari)
    assertSame(await put(stores, { ...kari, customId: 'q-1' }, 'q'), selected(made))
    assertSame(await put(stores, { customId: 'c-1' }), selected(made))
    assertSame(await put(stores, { customId: 'q-1' }, 'q'), selected(made))
    assertSame((await put(stores, { customId: 'q-1' })).kind, 'created')
    assertSame((await put(stores, { customId: 'c-1' }, 'q')).kind, 'created')
  },
  'makes one contact of many that two partners send at once, and both find it afterwards': async stores => {
    const send = (index: number) => {
      const partnerId = index < 5 ? 'p' : 'q'
      return put(stores, { ...kari, customId: `of-${partnerId}` }, partnerId)
    }
    const matches = await atOnce(10, send)
    assertSame(matches.filter(({ kind }) => kind === 'created').length, 1)
    assertSame(new Set(matches.map(idOf)).size, 1)
    for (const partnerId of ['p', 'q'])
      assertSame(
        matches.map(idOf).includes(idOf(await put(stores, { customId: `of-${partnerId}` }, partnerId))),
        true,
      )
  },
  ...spellingCases,
  'takes a text without a digit for the identity number of nobody': async stores => {
    for (const customId of ['c-1', 'c-2'])
      assertSame((await put(stores, { customId, ssn: 'unknown' })).kind, 'created')
  },
  'makes one contact of two puts at once that write a number in two ways': async stores => {
    const other = { customId: 'other', ssn: '128579 48392' }
    const matches = await atOnce(2, index => put(stores, index === 0 ? kari : other))
    assertSame(new Set(matches.map(({ kind }) => kind)), new Set(['created', 'selected']))
  },
  'selects one of two puts at once that contradict each other': async stores => {
    const made = await put(stores, { customId: 'c-1' })
    const matches = await atOnce(2, index =>
      put(stores, {
        customId: 'c-1',
        ssn: index === 0 ? '12857948392' : '24889312576',
        email: `${index}@example.com`,
      }),
    )
    assertSame(new Set(matches.map(({ kind }) => kind)), new Set(['choose', 'selected']))
    assertSame(
      matches.flatMap(match => idOf(match) ?? candidatesOf(match)),
      [idOf(made), idOf(made)],
    )
  },
}
