import { answerLink } from '../answers/answer-link.ts'
import { answerPage } from '../answers/answer-page.ts'
import { negotiate } from '../answers/negotiate.ts'
import { readForm } from '../intake/read-form.ts'
import { receiveDelivery } from '../intake/receive-delivery.ts'
import { PayloadReplayedError, RateLimitedError } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { Reporter } from '../report-result.ts'
import type { RequestContext } from '../request-context.ts'
import { beginVisit, createHold } from '../visit.ts'

/** Largest body of a post, in bytes. */
export const maxFormBytes = 64 * 1024

/**
 * Answers a post: every check in its order, the partner's budget, then the effects.
 *
 * @throws {Refusal} for the first check that fails
 * @throws what a port throws
 * @throws the reason of the request's signal, when it aborts before anything took effect
 */
export async function receivePost(
  request: Request,
  context: RequestContext,
  settings: ReceiverSettings,
  { tell }: Reporter,
): Promise<Response> {
  const { effects, clock, rateLimiter } = settings
  const { requestId, event } = context
  const text = await readForm(request, { maxBytes: maxFormBytes, timeoutMs: settings.bodyTimeoutMs })
  const now = clock()
  const { partner, delivery, replay } = await receiveDelivery(text, context, settings, now, request.signal)
  const decision = await rateLimiter.take(partner.id, partner.maxPostsPerMinute, now)
  if (!decision.isAllowed) throw new RateLimitedError(decision.retryAfterSeconds)
  const refuseReplayed = async (): Promise<never> => {
    await rateLimiter.giveBack(partner.id, now).catch(() => undefined)
    throw new PayloadReplayedError()
  }
  const wanted = negotiate(request.headers.get('accept')).prefers ?? partner.answer
  if (wanted === 'link') {
    const open = await createHold(settings.openTimeoutSeconds, clock)
    const { kind } = await effects.defer({ delivery, replay, open, now })
    if (kind === 'replayed') return refuseReplayed()
    tell({ requestId, event, result: 'link', partnerId: partner.id })
    return answerLink(`${settings.openUrl}/${open.handle}`, requestId)
  }
  const visit = await beginVisit(request, settings)
  const result = await effects.accept({ delivery, replay, logIn: visit.logIn, now, request })
  if (result.kind === 'replayed') return refuseReplayed()
  context.isTaken = true
  const { response, outcome } = await answerPage(result, visit, settings)
  tell({ requestId, event, result: outcome.kind, partnerId: partner.id })
  return response
}
