import assert from 'node:assert/strict'
import type { Account, AuditEntry, ReceiverStores } from '../ports.ts'

/** One implementation of all stores, empty but for the accounts of {@link storeContractWorld}. */
export interface ContractStores extends AsyncDisposable {
  /** Runs work in one transaction. */
  runTransaction<Result>(work: (stores: ReceiverStores) => Promise<Result>): Promise<Result>
  auditEntries(): Promise<readonly AuditEntry[]>
}

/** Checks of one store, each under the name of a behaviour. */
export type ContractCases = Readonly<Record<string, (stores: ContractStores) => Promise<void>>>

const now = new Date('2026-11-21T12:00:20.000Z')

/** The time and the accounts of all cases. */
export const storeContractWorld = {
  /** The time of stores that have a clock. */
  now,
  /** Two accounts of one organization of the service. */
  accounts: ['account-1', 'account-2'].map((id): Account => ({ id, displayName: `Name of ${id}` })),
} as const

/** The accounts' ids. */
export const [firstAccount, secondAccount] = ['account-1', 'account-2'] as const

/** The time of the cases, some seconds later. */
export const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Does work several times at once. */
export const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_none, index) => work(index)))

/** Compares values. Rows of some databases have no prototype. */
export const assertSame = (actual: unknown, expected: unknown) =>
  assert.deepEqual(structuredClone(actual), structuredClone(expected))

/** Does work in a transaction that rolls back. */
export async function rollBack(
  stores: ContractStores,
  work: (stores: ReceiverStores) => Promise<unknown>,
): Promise<void> {
  const failure = new Error('rolled back')
  const run = stores.runTransaction(async ports => {
    await work(ports)
    throw failure
  })
  await assert.rejects(run, failure)
}
