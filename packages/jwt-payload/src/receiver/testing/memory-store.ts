import { assertParameter } from '@service-link/protocol-core/errors'
import { employeeDigestOf } from '../audit.ts'
import type {
  Account,
  AccountLinks,
  AuditEntry,
  AuditLog,
  ContactBook,
  ContactCandidate,
  Delivery,
  EmployeeKey,
  HeldDeliveries,
  HoldPurpose,
  ReceiverStores,
  ReplayGuard,
  RunInTransaction,
  Sessions,
} from '../ports.ts'
import { type KnownContact, matchContact } from '../same-person.ts'

/** A contact in memory. */
export interface MemoryContact extends KnownContact {
  readonly contactId: string
  /** The service's organization of the contact. */
  readonly organizationId?: string | undefined
}

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  readonly accounts: readonly Account[]
  /** Contacts at the start. Default: none. */
  readonly contacts?: readonly MemoryContact[]
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
  for (const [index, account] of options.accounts.entries())
    assertParameter(`options.accounts.${index}`, account, 'closed', ofAccount)
  for (const [index, contact] of (options.contacts ?? []).entries())
    assertParameter(`options.contacts.${index}`, contact, 'closed', ofContact)
  const accounts = new Map(options.accounts.map(account => [account.id, account]))
  const contacts = new Map((options.contacts ?? []).map(contact => [contact.contactId, contact]))
  const auditEntries = new Map<string, AuditEntry>()
  const [keys, links, organizations, held] = [
    new Map<string, string>(),
    new Map<string, KeptLink>(),
    new Map<string, string>(),
    new Map<string, HeldDelivery>(),
  ]
  const stores: ReceiverStores = {
    replay: replayGuard(keys),
    accounts: accountLinks(links, organizations, accounts),
    contacts: contactBook(contacts, accounts),
    held: heldDeliveries(held),
    audit: auditLog(auditEntries),
  }
  const tables: readonly Map<string, unknown>[] = [contacts, auditEntries, keys, links, organizations, held]
  let last: Promise<unknown> = Promise.resolve()
  const runTransaction: RunInTransaction = work => {
    const turn = last.then(async () => {
      const rollBack = tables.map(restorer)
      try {
        return await work(stores)
      } catch (error) {
        for (const restore of rollBack) restore()
        throw error
      }
    })
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    runTransaction,
    contacts: () => Array.from(contacts.values()),
    audit: { record: entry => runTransaction(({ audit }) => audit.record(entry), { isRepeatable: true }) },
    auditEntries: () => Array.from(auditEntries.values()),
  }
}

/** Makes a function that restores the present rows of a table. */
function restorer(table: Map<string, unknown>): () => void {
  const rows = Array.from(table)
  return () => {
    table.clear()
    for (const [key, row] of rows) table.set(key, row)
  }
}

/** The request that took each key. No key is forgotten. */
function replayGuard(keys: Map<string, string>): ReplayGuard {
  return {
    consume: async ({ key, requestId }) => {
      const before = keys.get(key)
      if (before !== undefined) return before === requestId ? 'again' : 'used'
      keys.set(key, requestId)
      return 'taken'
    },
  }
}

/** A contact book in memory, by the rules of {@link ContactBook}. */
function contactBook(
  contacts: Map<string, MemoryContact>,
  accounts: ReadonlyMap<string, Account>,
): ContactBook {
  return {
    put: async ({ partnerId }, person, { accountId }) => {
      const organizationId = accounts.get(accountId)?.organizationId
      const own = Array.from(contacts.values()).filter(contact => contact.organizationId === organizationId)
      const decision = matchContact(person, partnerId, own)
      if (decision.kind === 'choose')
        return { kind: 'choose', candidates: decision.contacts.map(candidateOf) }
      const contactId = decision.known?.contactId ?? crypto.randomUUID()
      contacts.set(contactId, {
        contactId,
        organizationId,
        person: decision.person,
        customIds: decision.customIds,
      })
      return { kind: decision.kind, contactId }
    },
  }
}

function candidateOf({ contactId, person }: MemoryContact): ContactCandidate {
  const { firstname, lastname, dateOfBirth } = person
  return { contactId, firstname, lastname, dateOfBirth }
}

interface HeldDelivery {
  readonly purpose: HoldPurpose
  readonly expiresAt: Date
  readonly delivery: Delivery
}

function heldDeliveries(held: Map<string, HeldDelivery>): HeldDeliveries {
  return {
    hold: async (purpose, { handleDigest, expiresAt }, delivery) => {
      held.set(handleDigest, { purpose, expiresAt, delivery })
    },
    take: async (purpose, handleDigest, now) => {
      const found = held.get(handleDigest)
      if (found?.purpose !== purpose) return undefined
      held.delete(handleDigest)
      return found.expiresAt > now ? found.delivery : undefined
    },
  }
}

interface KeptLink {
  readonly employee: EmployeeKey
  readonly accountId: string
}

function accountLinks(
  links: Map<string, KeptLink>,
  organizations: Map<string, string>,
  accounts: ReadonlyMap<string, Account>,
): AccountLinks {
  const find = async (employee: EmployeeKey) =>
    accounts.get(links.get(await employeeDigestOf(employee))?.accountId ?? '')
  return {
    find,
    link: async (employee, accountId) => {
      const account = accounts.get(accountId)
      if (!account) return undefined
      const linkId = await employeeDigestOf(employee)
      const { partnerId, organizationId } = employee
      const organization = JSON.stringify([partnerId, organizationId])
      const bound = organizations.get(organization) ?? account.organizationId ?? ''
      if (bound !== (account.organizationId ?? '')) return 'other-organization'
      organizations.set(organization, bound)
      if (!links.has(linkId)) links.set(linkId, { employee, accountId })
      return find(employee)
    },
    unlink: async (linkId, accountId) => {
      const link = links.get(linkId)
      if (link?.accountId !== accountId) return undefined
      links.delete(linkId)
      return link.employee
    },
  }
}

function auditLog(entries: Map<string, AuditEntry>): AuditLog {
  return {
    record: async entry => {
      const { requestId, event, outcome, employeeDigest = '' } = entry
      const key = `${requestId} ${event} ${outcome} ${employeeDigest}`
      if (!entries.has(key)) entries.set(key, entry)
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
