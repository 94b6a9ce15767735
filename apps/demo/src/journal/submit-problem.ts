import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { tabBlocked } from '@service-link/ui/page-key'
import { t } from './texts.ts'

/** Says to a user why `submitPayload` opened no service, and what to do. */
export function submitProblem(error: unknown): string {
  if (isServiceLinkError(error) && error.code === 'ERR_SUBMIT_BLOCKED') return tabBlocked()
  if (isServiceLinkError(error) && error.code === 'ERR_SUBMIT_POLICY') return error.message
  return t('failed')
}
