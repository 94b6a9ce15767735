import { isServiceLinkError } from '@service-link/protocol-core/errors'

/** Says to a user why `submitPayload` opened no service, and what to do. */
export function submitProblem(error: unknown): string {
  if (isServiceLinkError(error) && error.code === 'ERR_SUBMIT_BLOCKED')
    return 'The browser blocked the new tab. Allow pop-ups for this page in the address bar, and try again.'
  if (isServiceLinkError(error) && error.code === 'ERR_SUBMIT_POLICY') return error.message
  return 'Service could not be opened. Try again.'
}
