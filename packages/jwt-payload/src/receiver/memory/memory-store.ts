import { createEffects } from '../create-effects.ts'
import type { Account } from '../ports/accounts.ts'
import type { DeliveryEffects } from '../ports/effects.ts'
import type { EffectPorts, RunInTransaction } from '../ports/transaction.ts'
import { createMemoryAccountLinks } from './account-links.ts'
import { createMemoryContactBook, type MemoryContact } from './contact-book.ts'
import { createMemoryHeldDeliveries, type MemoryHeld } from './held-deliveries.ts'
import { type Journal, JournaledMap } from './journaled-map.ts'
import { createMemoryReplayGuard } from './replay-guard.ts'

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
}

/**
 * Makes the stores of a receiver in memory, with transactions that run one after the other and are taken back when they
 * fail. For tests, for trying things out, and as the model of what a database does.
 */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock = () => new Date() } = options
  const journal: Journal = []
  const contacts = new JournaledMap<string, MemoryContact>(journal)
  for (const contact of options.contacts ?? []) contacts.set(contact.contactId, contact)
  const ports: EffectPorts = {
    replay: createMemoryReplayGuard(new JournaledMap<string, Date>(journal), clock),
    accounts: createMemoryAccountLinks(
      new JournaledMap<string, string>(journal),
      new Map(options.accounts.map(account => [account.id, account])),
    ),
    contacts: createMemoryContactBook(contacts),
    held: createMemoryHeldDeliveries(new JournaledMap<string, MemoryHeld>(journal), clock),
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
  return { effects: createEffects(run), run, contacts: () => Array.from(contacts.values()) }
}

/** Lets each transaction wait for the one before it. */
function inTurn(run: RunInTransaction): RunInTransaction {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const turn = last.then(() => run(work))
    last = turn.catch(() => undefined)
    return turn
  }
}
