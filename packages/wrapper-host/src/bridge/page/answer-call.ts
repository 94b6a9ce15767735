import { HostCallError } from './host-call-error.ts'
import type { HostHandlers } from './host-handlers.ts'
import type { HostMessage, PageAnswer } from './messages.ts'

const unknownFailure: PageAnswer = {
  type: 'failure',
  code: 'ERR_WEB_APP',
  message: 'The web app could not carry out the command.',
}

/**
 * Has a handler carry out one call. Never rejects: of an error that is not a {@link HostCallError} nothing is passed on,
 * since its message may hold personal data; it goes to the page's own error reporting instead.
 *
 * @param reportError the page's own error reporting
 */
export async function answerCall(
  handlers: HostHandlers,
  { handler: name, args }: Extract<HostMessage, { type: 'call' }>,
  reportError: (error: unknown) => void,
): Promise<PageAnswer> {
  const handler = Object.hasOwn(handlers, name) ? handlers[name as keyof HostHandlers] : undefined
  if (!handler) return unknownFailure
  try {
    return { type: 'result', value: await handler(args as never) }
  } catch (error) {
    if (isHostCallError(error))
      return { type: 'failure', code: error.code, message: error.message, issues: error.issues }
    reportError(error)
    return unknownFailure
  }
}

/** Also one of another copy of this module. */
function isHostCallError(error: unknown): error is HostCallError {
  return error instanceof HostCallError || (error instanceof Error && error.name === 'HostCallError')
}
