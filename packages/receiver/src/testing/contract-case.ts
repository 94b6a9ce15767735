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

/** As `AssertionError` of Node, which other runtimes lack. Test runners show `actual` and `expected` beside each other. */
export class BrokenRuleError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
  readonly actual: unknown
  readonly expected: unknown

  constructor(
    message: string,
    { actual, expected, cause }: Partial<Record<'actual' | 'expected' | 'cause', unknown>>,
  ) {
    super(message, { cause })
    this.actual = actual
    this.expected = expected
  }
}

/** Compares values. Rows of some databases have no prototype, and leave out what is `undefined`. */
export function assertSame(actual: unknown, expected: unknown): void {
  const [got, wanted] = [actual, expected].map(value => JSON.stringify(plain(value)))
  if (got !== wanted) throw new BrokenRuleError(`Expected ${wanted}, and got ${got}.`, { actual, expected })
}

/** Writes members in one order, and tells dates and sets from texts and lists. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Set) return { set: Array.from(value).sort() }
  if (value instanceof Date) return { date: value.getTime() }
  if (Object(value) !== value) return value
  const members = Object.entries(Object(value)).sort(([one], [other]) => (one < other ? -1 : 1))
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
  const end = await run.then(
    () => 'committed',
    error => error?.message,
  )
  assertSame(end, failure.message)
}
