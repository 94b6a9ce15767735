import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { classifyFailure } from './classify-failure.ts'

/** The database cannot be reached, or has no room at the moment. Holds nothing of the statement or of the driver's error. */
export class DatabaseUnavailableError extends ServiceLinkError<'ERR_UNAVAILABLE'> {
  readonly code = 'ERR_UNAVAILABLE'

  constructor() {
    super('The service’s database is not available at the moment. Try again in a while.')
  }
}

/** How a piece of work on the database ended; `failure` is the last of the database's own that it met on its way. */
export type ObservedOutcome<Result> =
  | { readonly result: Result; readonly failure: unknown }
  | { readonly error: unknown; readonly failure: unknown }

const watches = new AsyncLocalStorage<{ failure: unknown }>()

/** Tells the piece of work that runs of a failure; called for each statement and each connection that fails. */
export function noteFailure(error: unknown): void {
  const watch = watches.getStore()
  if (watch && classifyFailure(error) !== 'other') watch.failure = error
}

/** Runs work, and sees the failures of the database even where the work made something else of them. Never rejects. */
export async function observeDatabase<Result>(work: () => Promise<Result>): Promise<ObservedOutcome<Result>> {
  const watch = { failure: undefined }
  try {
    const result = await watches.run(watch, work)
    return { result, failure: watch.failure }
  } catch (error) {
    return { error, failure: watch.failure }
  }
}

/**
 * Runs work through code that has an answer of its own for a lost database, such as a log-in library that says "not signed
 * in": a lost database stays a lost database.
 *
 * @throws {DatabaseUnavailableError} when the database failed meanwhile, whatever the work made of it
 * @throws what `work` throws otherwise
 */
export async function watchDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const outcome = await observeDatabase(work)
  if (outcome.failure !== undefined) throw new DatabaseUnavailableError()
  if ('result' in outcome) return outcome.result
  throw isUnavailable(outcome.error) ? new DatabaseUnavailableError() : outcome.error
}

/** Whether an error says that the database, not the request, is at fault, and a later request may succeed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || classifyFailure(error) !== 'other'
}
