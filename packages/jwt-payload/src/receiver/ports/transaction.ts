import type { AccountLinks } from './accounts.ts'
import type { AuditLog } from './audit.ts'
import type { ContactBook } from './contacts.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import type { ReplayGuard } from './replay.ts'
import type { SessionMaker } from './sessions.ts'

// What the receiver needs from the service around it, in one transaction. Each port has an in-memory implementation in
// `memory/`; a database implements `EffectPorts` over one transaction and hands it to `createEffects`, or all of
// `DeliveryEffects` by itself.

/** The ports that take part in one transaction. */
export interface EffectPorts {
  readonly replay: ReplayGuard
  readonly accounts: AccountLinks
  readonly contacts: ContactBook
  readonly held: HeldDeliveries
  readonly audit: AuditLog
  /**
   * Where sessions can be made and ended in the same transaction. Left out: the receiver's own `sessions` does it after
   * the transaction, as for a log-in library that has a connection of its own.
   */
  readonly sessions?: SessionMaker
}

/** What {@link RunInTransaction} may do with its work. */
export interface TransactionContext {
  /**
   * Whether the work may be run again when nobody knows if its commit arrived: twice then has the effect of once. Work that
   * was taken back may always be run again.
   */
  readonly isRepeatable: boolean
}

/**
 * Runs `work` in one transaction: all of it takes effect when `work` resolves, nothing when it rejects.
 *
 * @example
 * ```ts
 * const effects = createEffects(work => db.transaction().execute(trx => work(portsOver(trx))))
 * ```
 */
export type RunInTransaction = <Result>(
  work: (ports: EffectPorts) => Promise<Result>,
  context: TransactionContext,
) => Promise<Result>
