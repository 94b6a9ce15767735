import { assertParameter } from '@service-link/protocol-core/errors'
import type { Person } from '@service-link/protocol-core/person'
import { wrongAnswer } from '../receiver-errors.ts'
import { digestOf, employeeDigestOf } from './digests.ts'
import type {
  Account,
  AccountLinks,
  ContactBook,
  ContactFacts,
  Delivery,
  EmployeeKey,
  HoldPurpose,
  ReceiverStores,
  RunInTransaction,
} from './ports.ts'
import { findContradictions, type KeptContact, matchContact } from './same-person.ts'

/** A row of the link's own table. Its kind and key identify it. */
export interface LinkRow {
  readonly kind: 'token' | 'held' | 'link' | 'organization' | 'audit' | 'end'
  /** At most 512 characters. */
  readonly key: string
  /** JSON text, with personal data in `held`, `link` and `audit`. An audit entry's `at` is an ISO text there. */
  readonly value: string
  /** Delete the row afterwards. Default: it stays. */
  readonly expiresAt?: Date | undefined
}

/** The link's own table, in the transaction. */
export interface LinkRows {
  /**
   * Adds a row, unless there is one of its kind and key. In SQL: `insert … on conflict do nothing`.
   *
   * @returns whether the row was added
   */
  add(row: LinkRow): boolean | Promise<boolean>
  /** Returns a row's value; nothing if there is no row. */
  get(kind: LinkRow['kind'], key: string): RowValue | Promise<RowValue>
  /** Removes a row: of any number of calls at once one gets its value. In SQL: `delete … returning value`. */
  remove(kind: LinkRow['kind'], key: string): RowValue | Promise<RowValue>
}

type RowValue = string | null | undefined

/** A contact of the service, as {@link ContactTable} keeps it. */
export interface StoredContact extends KeptContact {
  readonly contactId: string
  /** The service's organization of the contact; empty if accounts have none. */
  readonly organizationId: string
}

/** The service's contacts, in the transaction. Transactions that create contacts run one after the other, or are serializable. */
export interface ContactTable {
  /**
   * Finds the contacts of an organization: all, or those with the person's `customId` or identity number (`comparableSsn`), in the
   * order of their creation.
   */
  find(organizationId: string, person: Person): readonly StoredContact[] | Promise<readonly StoredContact[]>
  /** Keeps a new contact, or a known one with more data. */
  save(contact: StoredContact): void | Promise<void>
}

/** What {@link storesOverRows} builds on. */
export interface StoreParts {
  /** The link's own rows. */
  readonly rows: LinkRows
  /** Finds an account by its id. */
  readonly findAccount: (accountId: string) => Account | undefined | Promise<Account | undefined>
  /** The contacts among which the receiver finds the person in focus. */
  readonly contacts: ContactTable
}

/**
 * Builds the stores of a receiver over one table of rows, the service's accounts and its contacts.
 *
 * @throws {ParameterError} if a part is missing, of another type or not known
 * @example
 * ```ts
 * const runTransaction = work =>
 *   pool.transaction(connection => work(storesOverRows({ rows: rowsOf(connection), findAccount, contacts })))
 * ```
 */
export function storesOverRows(parts: StoreParts): ReceiverStores {
  assertParameter('parts', parts, 'closed', { rows: 'object', findAccount: 'function', contacts: 'object' })
  const ofRows = { add: 'function', get: 'function', remove: 'function' } as const
  assertParameter('parts.rows', parts.rows, 'object', ofRows)
  assertParameter('parts.contacts', parts.contacts, 'object', { find: 'function', save: 'function' })
  const rows = checkedRows(parts.rows)
  return {
    replay: {
      consume: async ({ key, requestId, expiresAt }) => {
        if (await rows.add({ kind: 'token', key, value: JSON.stringify(requestId), expiresAt }))
          return 'taken'
        return parse(await rows.get('token', key)) === requestId ? 'again' : 'used'
      },
    },
    held: {
      hold: async (purpose, { handleDigest, expiresAt }, delivery) => {
        const lastEnd = await lastEndOf(rows, await employeeDigestOf(delivery.employee))
        const value = JSON.stringify({ delivery, expiresAt: expiresAt.getTime(), lastEnd })
        await rows.add({ kind: 'held', key: heldKey(purpose, handleDigest), value, expiresAt })
      },
      take: async (purpose, handleDigest, now) => {
        const value = await rows.remove('held', heldKey(purpose, handleDigest))
        const held = parse<{ delivery: Delivery; expiresAt: number; lastEnd?: string }>(value)
        if (!held || held.expiresAt <= now.getTime()) return undefined
        const lastEnd = await lastEndOf(rows, await employeeDigestOf(held.delivery.employee))
        return lastEnd === held.lastEnd ? held.delivery : undefined
      },
    },
    accounts: accountLinks({ ...parts, rows }),
    contacts: contactBook(parts),
    audit: {
      record: async entry => {
        const key = JSON.stringify([entry.requestId, entry.event, entry.outcome, entry.employeeDigest])
        await rows.add({ kind: 'audit', key, value: JSON.stringify(entry) })
      },
    },
  }
}

function checkedRows(rows: LinkRows) {
  const isValue = (value: unknown) => typeof value === 'string' || value === undefined || value === null
  const words = 'the text of the row’s value, as it was added, or nothing; not the row, and no parsed JSON'
  return {
    async add(row: LinkRow) {
      const isAdded = await rows.add(row)
      const what = 'true if it added the row, else false: in SQL, whether a row was inserted'
      if (typeof isAdded !== 'boolean') throw wrongAnswer('rows.add', what)
      return isAdded
    },
    async get(...row: Parameters<LinkRows['get']>) {
      const value = await rows.get(...row)
      if (!isValue(value)) throw wrongAnswer('rows.get', words)
      return value
    },
    async remove(...row: Parameters<LinkRows['remove']>) {
      const value = await rows.remove(...row)
      if (!isValue(value)) throw wrongAnswer('rows.remove', words)
      return value
    },
  }
}

/** The value of a row; `undefined` if there is no row. Each kind has one shape, written above and below. */
const parse = <Value>(value: RowValue): Value | undefined =>
  typeof value === 'string' ? JSON.parse(value) : undefined

const heldKey = (purpose: HoldPurpose, handleDigest: string) => `${purpose} ${handleDigest}`

interface KeptLink {
  readonly employee: EmployeeKey
  readonly accountId: string
}

/** Id of an employee's last end; `undefined` before the first. */
const lastEndOf = async (rows: LinkRows, linkId: string) => parse<string>(await rows.get('end', linkId))

function accountLinks({ rows, findAccount }: StoreParts): AccountLinks {
  const linkOf = async (linkId: string) => parse<KeptLink>(await rows.get('link', linkId))
  const find = async (employee: EmployeeKey) => {
    const linkId = await employeeDigestOf(employee)
    const link = await linkOf(linkId)
    const account = link && (await findAccount(link.accountId))
    const lastEnd = account && (await lastEndOf(rows, linkId))
    return lastEnd === undefined ? account : ({ ...account, lastEnd } as Account)
  }
  return {
    find,
    link: async (employee, accountId) => {
      const account = await findAccount(accountId)
      if (!account) return undefined
      const { partnerId, organizationId } = employee
      const key = await digestOf(JSON.stringify([partnerId, organizationId]))
      const value = JSON.stringify(account.organizationId ?? '')
      if (
        !(await rows.add({ kind: 'organization', key, value })) &&
        (await rows.get('organization', key)) !== value
      )
        return 'other-organization'
      const link: KeptLink = { employee, accountId }
      await rows.add({ kind: 'link', key: await employeeDigestOf(employee), value: JSON.stringify(link) })
      return find(employee)
    },
    unlink: async (linkId, accountId) => {
      const link = await linkOf(linkId)
      if (link?.accountId !== accountId) return undefined
      return parse<KeptLink>(await rows.remove('link', linkId))?.employee
    },
    endContext: async (linkId, endId) => {
      await rows.remove('end', linkId)
      await rows.add({ kind: 'end', key: linkId, value: JSON.stringify(endId) })
    },
  }
}

function contactBook({ findAccount, contacts }: StoreParts): ContactBook {
  return {
    put: async ({ partnerId }, sent, { accountId }) => {
      const { organizationId = '' } = (await findAccount(accountId)) ?? {}
      const decision = matchContact(sent, partnerId, await contacts.find(organizationId, sent))
      if (decision.kind === 'choose')
        return {
          kind: 'choose',
          sent: factsOf(sent),
          candidates: decision.contacts.map(({ contactId, person: known }) => ({
            contactId,
            ...factsOf(known),
            contradictions: findContradictions(sent, known),
          })),
        }
      const { kind, known, person, customIds } = decision
      const contactId = known?.contactId ?? crypto.randomUUID()
      await contacts.save({ contactId, organizationId, person, customIds })
      return { kind, contactId }
    },
  }
}

function factsOf({ customId, firstname, middlename, lastname, dateOfBirth, ssn }: Person): ContactFacts {
  return { customId, firstname, middlename, lastname, dateOfBirth, ssn }
}

/** Begins and ends the transactions of one connection. */
export interface Connection {
  /** Begins a transaction. In SQLite `begin immediate`, because it will write. */
  begin(): unknown
  /** Keeps everything since `begin`. */
  commit(): unknown
  /** Undoes everything since `begin`, also after a commit that failed. */
  rollBack(): unknown
}

/**
 * Runs transactions of one connection one after the other. A pool of connections has transactions of its own.
 *
 * @throws {ParameterError} if an argument is of another type
 */
export function runOneByOne(stores: ReceiverStores, connection: Connection): RunInTransaction {
  assertParameter('stores', stores, 'object')
  const ofConnection = { begin: 'function', commit: 'function', rollBack: 'function' } as const
  assertParameter('connection', connection, 'object', ofConnection)
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const turn = last.then(async () => {
      await connection.begin()
      try {
        const result = await work(stores)
        await connection.commit()
        return result
      } catch (error) {
        // A failed roll-back would hide the reason for it.
        const rollBack = async () => connection.rollBack()
        await rollBack().catch(() => undefined)
        throw error
      }
    })
    last = turn.catch(() => undefined)
    return turn
  }
}
