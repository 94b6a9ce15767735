import assert from 'node:assert/strict'
import type { Account, AuditEntry, ReceiverStores, RunInTransaction } from '../stores/ports.ts'

/** One implementation of all stores, empty but for the accounts of {@link StoreContractWorld}. */
export interface ContractStores extends Partial<AsyncDisposable> {
  readonly runTransaction: RunInTransaction
  /** The entries of the audit log, the oldest first. */
  auditEntries(): readonly AuditEntry[] | Promise<readonly AuditEntry[]>
}

/** What the stores of a case begin with. */
export interface StoreContractWorld {
  /** The time of stores that have a clock. */
  readonly now: Date
  /** Two accounts of one organization of the service, and one of another. */
  readonly accounts: readonly Account[]
}

/** Checks of one store, each under the name of a behavior. */
export type ContractCases = Readonly<Record<string, (stores: ContractStores) => Promise<void>>>

/** The accounts' ids. */
export const [firstAccount, secondAccount, otherAccount] = ['account-1', 'account-2', 'account-3'] as const

export const now = new Date('2026-11-21T12:00:20.000Z')

export const contractWorld: StoreContractWorld = {
  now,
  accounts: [firstAccount, secondAccount, otherAccount].map(id => ({
    id,
    displayName: `Name of ${id}`,
    ...(id === otherAccount && { organizationId: 'elsewhere' }),
  })),
}

/** The time of the cases, some seconds later. */
export const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Does work in one transaction. */
export const transact = <Result>(
  { runTransaction }: ContractStores,
  work: (stores: ReceiverStores) => Promise<Result>,
): Promise<Result> => runTransaction(work, { isRepeatable: false })

/** Does work several times at once. */
export const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_none, index) => work(index)))

/** Compares values. Rows of some databases have no prototype, and leave out what is `undefined`. */
export const assertSame = (actual: unknown, expected: unknown) =>
  assert.deepEqual(plain(actual), plain(expected))

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (Object(value) !== value || value instanceof Date || value instanceof Set) return value
  const members = Object.entries(Object(value)).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]))
}

/** Does work in a transaction that rolls back. */
export async function rollBack(
  stores: ContractStores,
  work: (stores: ReceiverStores) => Promise<unknown>,
): Promise<void> {
  const failure = new Error('rolled back')
  const run = transact(stores, async ports => {
    await work(ports)
    throw failure
  })
  await assert.rejects(run, failure)
}
