import type { EndedLink } from '../ports/accounts.ts'
import { LinkNotFoundError } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { Reporter } from '../report-result.ts'

/** See `Receiver.unlink`. */
export async function endLink(
  linkId: string,
  accountId: string,
  requestId: string,
  { effects, sessions, clock }: ReceiverSettings,
  { tell }: Reporter,
): Promise<EndedLink> {
  const result = await effects.unlink({ linkId, accountId, requestId, now: clock() })
  const event = { requestId, event: 'unlink' } as const
  if (result.kind === 'gone') {
    tell({ ...event, result: 'gone', partnerId: undefined })
    throw new LinkNotFoundError()
  }
  if (!result.hasEndedSessions) await sessions.endLinked(linkId)
  tell({ ...event, result: 'unlinked', partnerId: result.link.partnerId })
  return result.link
}
