import { createHandle } from './handles.ts'
import type { Account } from './ports/accounts.ts'
import type { Hold } from './ports/delivery.ts'
import type { ReceiverSettings } from './receiver-options.ts'

/** A place where a delivery waits, with the handle that only the visitor gets. */
export type HandledHold = Hold & { readonly handle: string }

/** One browser that comes with a payload. */
export interface Visit {
  readonly request: Request
  /** Who was signed in in it, as far as its cookies came along. */
  readonly before: Account | undefined
  /** Where the payload waits if its employee must log in first: made when asked for first, and the same each time. */
  readonly logIn: () => Promise<HandledHold>
}

/** Makes a place that is free for some seconds from now. */
export async function createHold(seconds: number, clock: () => Date): Promise<HandledHold> {
  return { ...(await createHandle()), expiresAt: new Date(clock().getTime() + seconds * 1000) }
}

/** Asks, before anything takes effect, whom the browser's cookies sign in. */
export async function beginVisit(
  request: Request,
  { sessions, logInTimeoutSeconds, clock }: ReceiverSettings,
): Promise<Visit> {
  let hold: Promise<HandledHold> | undefined
  return {
    request,
    before: request.headers.has('cookie') ? await sessions.current(request) : undefined,
    logIn: () => {
      hold ??= createHold(logInTimeoutSeconds, clock)
      return hold
    },
  }
}
