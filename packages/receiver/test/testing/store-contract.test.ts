import { describe, expect, test } from 'vitest'
import {
  type AccountLinks,
  type AuditLog,
  type ContactBook,
  type ReceiverStores,
  runOneByOne,
  storesOverRows,
} from '../../src/index.ts'
import { createMemoryStore, type StoreContractWorld, storeContract } from '../../src/testing/index.ts'
import { partsInMemory } from '../../src/testing/memory-store.ts'

const contact = { contactId: 'contact-1', person: {} }
const having = (person: object) => ({ accounts: [], contacts: [{ ...contact, person }] })

const memoryStores = ({ accounts }: StoreContractWorld) => createMemoryStore({ accounts })

describe('the stores in memory', () => {
  for (const { name, run } of storeContract(memoryStores)) test(name, run)
})

/** Stores that break one rule each, and the rule. */
const wrongStores: Readonly<Record<string, (right: ReceiverStores) => Partial<ReceiverStores>>> = {
  'ReplayGuard gives a key to the first request, and again to that one only': ({ replay }) => ({
    replay: {
      consume: async claim => ((await replay.consume(claim)) === 'again' ? 'used' : 'taken'),
    },
  }),
  'ReplayGuard gives a key again if the transaction that took it rolled back': () => {
    const { replay } = keptBeside
    return { replay }
  },
  'HeldDeliveries gives a delivery out unchanged, once, to one of ten at once': ({ held }) => ({
    held: {
      ...held,
      take: async (purpose, digest, now) => {
        const taken = await held.take(purpose, digest, now)
        if (taken) await held.hold(purpose, { handleDigest: digest, expiresAt: new Date(8e15) }, taken)
        return taken
      },
    },
  }),
  'HeldDeliveries gives a delivery out for its purpose and digest only, and before it expires': ({
    held,
  }) => ({
    held: { ...held, take: (purpose, digest) => held.take(purpose, digest, new Date(0)) },
  }),
  'AccountLinks links an employee to the first account, and finds it with its name': ({ accounts }) => ({
    accounts: {
      ...accounts,
      find: async employee => {
        const found = await accounts.find(employee)
        return found && { ...found, displayName: found.id }
      },
    },
  }),
  'AccountLinks takes another partner, organization or employee id for another employee': ({ accounts }) => ({
    accounts: ignoringPartners(accounts),
  }),
  'ContactBook never takes another partner’s contact of the CustomId for the one sent with nothing else': ({
    contacts,
  }) => ({ contacts: ofOnePartner(contacts) }),
  'ContactBook makes a contact once, and finds it by its id, then by its number': ({ contacts }) => ({
    contacts: {
      put: (organization, { customId, ...person }, context) =>
        contacts.put(organization, { ...person, customId: `${customId}${Math.random()}` }, context),
    },
  }),
  'AccountLinks binds a partner’s organization to that of its first account, also after the link has ended':
    ({ accounts }) => ({ accounts: bindingNone(accounts) }),
  'ContactBook keeps contacts of two organizations of the service apart': ({ contacts }) => ({
    contacts: {
      put: (organization, person, context) =>
        contacts.put(organization, person, { ...context, accountId: 'account-1' }),
    },
  }),
  'AuditLog keeps entries unchanged, in their order, and the same one once': ({ audit }) => ({
    audit: severalTimes(audit),
  }),
  'AuditLog tells employees of one request apart by their digests': ({ audit }) => ({
    audit: { record: entry => audit.record({ ...entry, employeeDigest: undefined }) },
  }),
}

/** Takes no part in a transaction. */
const keptBeside: Pick<ReceiverStores, 'replay'> = (() => {
  const keys = new Map<string, string>()
  return {
    replay: {
      consume: async ({ key, requestId }) => {
        const before = keys.get(key)
        if (before !== undefined) return before === requestId ? 'again' : 'used'
        keys.set(key, requestId)
        return 'taken'
      },
    },
  }
})()

const ignoringPartners = ({ find, ...accounts }: AccountLinks): AccountLinks => ({
  ...accounts,
  find: employee => find({ ...employee, partnerId: 'p' }),
})

/** Links accounts of each organization of the service. */
const bindingNone = (accounts: AccountLinks): AccountLinks => ({
  ...accounts,
  link: async (employee, id) => {
    const linked = await accounts.link(employee, id)
    return linked === 'other-organization' ? { id, displayName: id } : linked
  },
})

const ofOnePartner = ({ put }: ContactBook): ContactBook => ({
  put: (organization, person, context) => put({ ...organization, partnerId: 'p' }, person, context),
})

const severalTimes = ({ record }: AuditLog): AuditLog => ({
  record: entry => record({ ...entry, requestId: `${entry.requestId}${Math.random()}` }),
})

test.each(Object.entries(wrongStores))('finds a store against “%s”', async (rule, breakStores) => {
  const failures = await failuresOf(world => {
    const { runTransaction, auditEntries } = memoryStores(world)
    return {
      runTransaction: (work, context) =>
        runTransaction(stores => work({ ...stores, ...breakStores(stores) }), context),
      auditEntries,
    }
  })
  expect(failures.get(rule)).toMatchObject({
    name: 'AssertionError',
    message: expect.stringContaining(`The stores break the rule “${rule}”. `),
  })
  // The other ports keep their rules.
  for (const name of failures.keys()) expect(name.split(' ')[0]).toBe(rule.split(' ')[0])
  if (rule.includes(' organization')) expect(failures.size).toBe(1)
})

test('finds transactions that do not roll back, in each port that the rule says so of', async () => {
  const failures = await failuresOf(({ accounts }) => {
    const { runTransaction, auditEntries } = createMemoryStore({ accounts })
    return {
      auditEntries,
      runTransaction: async (work, context) => {
        const end = await runTransaction(
          stores =>
            work(stores).then(
              value => ({ value }),
              (error: unknown) => ({ error }),
            ),
          context,
        )
        if ('error' in end) throw end.error
        return end.value
      },
    }
  })
  const ports = Array.from(failures.keys(), name => name.split(' ')[0])
  expect(new Set(ports)).toEqual(new Set(['ReplayGuard', 'HeldDeliveries', 'ContactBook', 'AuditLog']))
})

test('says the rule before the error of a store, and ends the stores', async () => {
  let ended = 0
  const failures = await failuresOf(world => ({
    ...memoryStores(world),
    runTransaction: () => Promise.reject(new RangeError('no such table: used_tokens')),
    [Symbol.asyncDispose]: async () => void ended++,
  }))
  expect(failures.size).toBe(ended)
  expect(failures.get('AuditLog keeps no entry of a transaction that rolls back')).toBeInstanceOf(Error)
  const [[rule, failure] = []] = failures
  expect(failure).toMatchObject({
    message: `The stores break the rule “${rule}”. no such table: used_tokens`,
    cause: { name: 'RangeError' },
  })
})

test('tells the error of the work, also if its roll-back fails, and runs the next transaction', async () => {
  const { parts, connection } = partsInMemory({ accounts: [] })
  const rollBack = () => {
    throw new RangeError('no transaction is active')
  }
  const run = runOneByOne(storesOverRows(parts), { ...connection, rollBack })
  const failure = new TypeError('the work failed')
  await expect(run(() => Promise.reject(failure), { isRepeatable: false })).rejects.toBe(failure)
  await expect(run(async () => 'done', { isRepeatable: false })).resolves.toBe('done')
})

test.each<[string, object, string]>([
  [
    'a birth date by another name',
    having({ birthdate: '1979-05-12' }),
    'contacts.0.person.birthdate is not known',
  ],
  [
    'a birth date of another form',
    having({ dateOfBirth: '12.5.1979' }),
    'contacts.0.person.dateOfBirth must be',
  ],
])('stores in memory with %s are refused', (_name, options, problem) => {
  expect(() => createMemoryStore(options as never)).toThrow(`The parameter options.${problem}`)
})

/** The rules that stores break, with their errors. */
async function failuresOf(makeStores: Parameters<typeof storeContract>[0]): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  for (const { name, run } of storeContract(makeStores))
    await run().catch((error: unknown) => failures.set(name, error))
  return failures
}
