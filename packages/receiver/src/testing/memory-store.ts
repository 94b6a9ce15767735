import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { personSchema, readBy } from '@service-link/protocol-core/person'
import type { Account, AuditEntry, AuditLog, RunInTransaction, Sessions } from '../stores/ports.ts'
import type { KnownContact } from '../stores/same-person.ts'
import {
  type Connection,
  type LinkRow,
  runOneByOne,
  type StoredContact,
  type StoreParts,
  storesOverRows,
} from '../stores/stores-over-rows.ts'

/** A contact in memory. */
export interface MemoryContact extends KnownContact {
  /** The service's id of the contact. */
  readonly contactId: string
  /** The service's organization of the contact. */
  readonly organizationId?: string | undefined
}

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  readonly accounts: readonly Account[]
  /** Contacts at the start. Default: none. */
  readonly contacts?: readonly MemoryContact[] | undefined
}

const ofAccount = { id: 'text', displayName: 'text', organizationId: 'text?' } as const
const ofContact = {
  contactId: 'text',
  organizationId: 'text?',
  person: 'object',
  customIds: 'list?',
} as const

/** All stores of a receiver in memory, for one process. */
export interface MemoryStore {
  readonly runTransaction: RunInTransaction
  /** The present contacts. */
  readonly contacts: () => readonly MemoryContact[]
  /** For `ReceiverOptions.audit`: records each entry in a transaction of its own. */
  readonly audit: AuditLog
  /** The entries of the audit log, the oldest first. */
  readonly auditEntries: () => readonly AuditEntry[]
}

/**
 * Makes the stores of a receiver in memory. Transactions run one after the other and roll back if they fail. For tests and
 * trials, and as the model for a database.
 *
 * @throws {ParameterError} if an option, an account or a contact has a member of another type, or one that is not known
 */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  assertParameter('options', options, 'closed', { accounts: 'list', contacts: 'list?' })
  const { accounts, contacts = [] } = options
  for (const [index, account] of accounts.entries())
    assertParameter(`options.accounts.${index}`, account, 'closed', ofAccount)
  for (const [index, contact] of contacts.entries()) {
    assertParameter(`options.contacts.${index}`, contact, 'closed', ofContact)
    const [issue] = readBy(personSchema, contact.person).issues ?? []
    if (issue)
      throw new ParameterError(
        `options.contacts.${index}.person.${issue.path}`,
        'as in Person',
        `${issue.problem}.`,
      )
  }
  const memory = partsInMemory(options)
  const runTransaction = runOneByOne(storesOverRows(memory.parts), memory.connection)
  return {
    runTransaction,
    contacts: () => Array.from(memory.contacts.values()),
    audit: { record: entry => runTransaction(({ audit }) => audit.record(entry), { isRepeatable: true }) },
    auditEntries: () =>
      Array.from(memory.rows.values()).flatMap(({ kind, value }) =>
        kind === 'audit' ? [readAuditEntry(value)] : [],
      ),
  }
}

function readAuditEntry(value: string): AuditEntry {
  const { at, ...entry } = JSON.parse(value)
  const none = { organizationId: undefined, accountId: undefined, employeeDigest: undefined }
  return { ...none, ...entry, at: new Date(at) }
}

/** The parts of stores in memory. */
export function partsInMemory(options: MemoryStoreOptions) {
  const rows = new Map<string, LinkRow>()
  const contacts = new Map<string, StoredContact>()
  for (const contact of options.contacts ?? [])
    contacts.set(contact.contactId, {
      ...contact,
      customIds: contact.customIds ?? [],
      organizationId: contact.organizationId ?? '',
    })
  const nameOf = (kind: string, key: string) => `${kind} ${key}`
  const parts: StoreParts = {
    rows: {
      add: row => {
        const name = nameOf(row.kind, row.key)
        return !rows.has(name) && rows.set(name, row).has(name)
      },
      get: (kind, key) => rows.get(nameOf(kind, key))?.value,
      remove: (kind, key) => {
        const name = nameOf(kind, key)
        const value = rows.get(name)?.value
        rows.delete(name)
        return value
      },
    },
    findAccount: id => options.accounts.find(account => account.id === id),
    contacts: {
      find: id => Array.from(contacts.values()).filter(({ organizationId }) => organizationId === id),
      save: contact => void contacts.set(contact.contactId, contact),
    },
  }
  return { parts, rows, contacts, connection: connectionTo([rows, contacts]) }
}

/** Transactions over tables: each begins with a copy, and a failed one restores it. */
function connectionTo(tables: readonly Map<string, unknown>[]): Connection {
  let before: (readonly [string, unknown])[][] = []
  return {
    begin: () => {
      before = tables.map(table => Array.from(table))
    },
    commit: () => undefined,
    rollBack: () => {
      for (const [index, table] of tables.entries()) {
        table.clear()
        for (const [key, row] of before[index] ?? []) table.set(key, row)
      }
    },
  }
}

const cookieName = '__Host-service-session'

/** Makes sessions in memory, for tests and trials. They end with their link alone. */
export function createMemorySessions(): Sessions {
  const kept = new Map<string, { readonly account: Account; readonly linkId: string }>()
  return {
    current: async request => kept.get(readCookie(request) ?? '')?.account,
    create: async (account, _request, { isFramed, linkId }) => {
      const id = `${crypto.randomUUID()}${crypto.randomUUID()}`
      kept.set(id, { account, linkId })
      const site = isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
      return { setCookies: [`${cookieName}=${id}; Secure; HttpOnly; ${site}; Path=/`] }
    },
    endLinked: async linkId => {
      for (const [id, session] of kept) if (session.linkId === linkId) kept.delete(id)
    },
  }
}

function readCookie(request: Request): string | undefined {
  const pairs = request.headers.get('cookie')?.split(';') ?? []
  return pairs
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
}
