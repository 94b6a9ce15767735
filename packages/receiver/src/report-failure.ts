import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** The members of `ReceiverEvent` that it writes. */
interface FailedVisit {
  readonly requestId: string
  readonly event: string
  readonly result: string
  readonly cause?: unknown
}

/**
 * Writes one line on the error output for a request that a part of the service has failed. No message but ours: those of a database
 * may hold personal data.
 */
export function reportFailure(event: FailedVisit): void {
  if (!('cause' in event)) return
  const { event: visit, result, requestId, cause } = event
  const what =
    cause instanceof ServiceLinkError ? cause.message : `${kindOf(cause)}. The option onEvent gets it.`
  console.error(`@service-link/receiver: ${result}, ${visit} ${requestId}: ${what}`)
}

/** The kind of an error and where it was thrown, such as `Error ECONNREFUSED at connect (node:net:1600:16)`. */
function kindOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `a ${typeof cause} was thrown`
  const { name, message, stack = '' } = cause
  const code = String(Reflect.get(cause, 'code') ?? '')
  const head = `${name}: ${message}\n`
  // Lines of the message are not told.
  const [place = ''] = stack.startsWith(head) ? stack.slice(head.length).split('\n', 1) : []
  return [name, /^[A-Z][A-Z\d_]{1,40}$/.test(code) ? code : '', place.trim()].filter(Boolean).join(' ')
}
