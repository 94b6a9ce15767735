import { assertParameter } from '@service-link/protocol-core'
import { createEffects } from '../effects/create-effects.ts'
import type { Account } from '../ports/accounts.ts'
import type { AuditEntry, AuditLog } from '../ports/audit.ts'
import type { DeliveryEffects } from '../ports/effects.ts'
import type { EffectPorts, RunInTransaction } from '../ports/transaction.ts'
import { createMemoryAccountLinks, type MemoryLink } from './account-links.ts'
import { createMemoryAuditLog } from './audit-log.ts'
import { createMemoryContactBook, type MemoryContact } from './contact-book.ts'
import { createMemoryHeldDeliveries, type MemoryHeld } from './held-deliveries.ts'
import { type Journal, JournaledMap } from './journaled-map.ts'
import { createMemoryReplayGuard, type MemoryTaken } from './replay-guard.ts'

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /** The accounts that there are. */
  readonly accounts: readonly Account[]
  /** Contacts that are there from the start. Default: none. */
  readonly contacts?: readonly MemoryContact[]
  /** Default: the machine's clock. */
  readonly clock?: () => Date
}

/** All stores of a receiver in memory, for one process. */
export interface MemoryStore {
  readonly effects: DeliveryEffects
  readonly run: RunInTransaction
  /** The contacts as they are now. */
  readonly contacts: () => readonly MemoryContact[]
  /** For `ReceiverOptions.audit`: records each entry in a transaction of its own. */
  readonly audit: AuditLog
  /** The newest 10,000 entries of the audit log as they are now, the oldest first. */
  readonly auditEntries: () => readonly AuditEntry[]
}

/**
 * Makes the stores of a receiver in memory, with transactions that run one after the other and are taken back when they
 * fail. For tests, for trying things out, and as the model of what a database does.
 */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  assertParameter('options', options, 'object', { accounts: 'list', contacts: 'list?', clock: 'function?' })
  const { clock = () => new Date() } = options
  const journal: Journal = []
  const contacts = new JournaledMap<string, MemoryContact>(journal)
  for (const contact of options.contacts ?? []) contacts.set(contact.contactId, contact)
  const auditEntries = new JournaledMap<string, AuditEntry>(journal)
  const accounts = new Map(options.accounts.map(account => [account.id, account]))
  const ports: EffectPorts = {
    replay: createMemoryReplayGuard(new JournaledMap<string, MemoryTaken>(journal), clock),
    accounts: createMemoryAccountLinks(
      new JournaledMap<string, MemoryLink>(journal),
      new JournaledMap<string, string>(journal),
      accounts,
      clock,
    ),
    contacts: createMemoryContactBook(contacts, accounts),
    held: createMemoryHeldDeliveries(new JournaledMap<string, MemoryHeld>(journal), clock),
    audit: createMemoryAuditLog(auditEntries),
  }
  const run = inTurn(async work => {
    journal.length = 0
    try {
      return await work(ports)
    } catch (error) {
      for (const takeBack of journal.toReversed()) takeBack()
      throw error
    }
  })
  return {
    effects: createEffects(run),
    run,
    contacts: () => Array.from(contacts.values()),
    audit: { record: entry => run(({ audit }) => audit.record(entry), { isRepeatable: true }) },
    auditEntries: () => Array.from(auditEntries.values()),
  }
}

/** Lets each transaction wait for the one before it. */
function inTurn(run: RunInTransaction): RunInTransaction {
  let last: Promise<unknown> = Promise.resolve()
  return (work, context) => {
    const turn = last.then(() => run(work, context))
    last = turn.catch(() => undefined)
    return turn
  }
}
