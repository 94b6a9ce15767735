import { hasArgs } from '../envelope/has-args.ts'
import type { SessionId } from '../envelope/request-envelope.ts'
import type { SessionCallName } from './session-call.ts'

/** Arguments of a request in session mode, as they travel. */
export type SessionArgs = Readonly<Record<string, unknown>>

/**
 * Writes the body of a request in session mode, `{"Id": …, "Method": "<name>", "Args": {…}}`.
 *
 * @param args arguments as they travel; a member that is `undefined` is left out, and all of `Args` when there is none
 * @example
 * ```ts
 * import { writeSessionRequest } from '@service-link/protocol-core'
 *
 * writeSessionRequest(7, 'openworkout', { id: 17 }) // '{"Id":7,"Method":"openworkout","Args":{"id":17}}'
 * ```
 */
export function writeSessionRequest(id: SessionId, name: SessionCallName, args?: SessionArgs): string {
  return JSON.stringify(hasArgs(args) ? { Id: id, Method: name, Args: args } : { Id: id, Method: name })
}
