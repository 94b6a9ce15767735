import { type ReceiverParts, type RequestFacts, recordEntry } from '../audit.ts'
import { endScript, renderEndPage } from '../pages/end-page.ts'
import { frameScript, scriptElement } from '../pages/frame-script.ts'
import { renderSafely } from '../pages/refusal-page.ts'
import { employeeDigestOf } from '../stores/digests.ts'
import { answerOrRefuse } from './answer-refusal.ts'
import { consume, isForProgram, withinRate } from './apply-delivery.ts'
import { closedHeaders, isFramed, type Visitor } from './headers.ts'
import type { VerifiedEnd } from './verify-post.ts'

/**
 * Takes a signed end, once and within its partner's rate. It concerns what this partner's payloads of this employee opened, and nothing
 * else. The answer does not tell whether the employee is known or was signed in.
 */
export async function receiveEnd(
  post: VerifiedEnd,
  visitor: Visitor,
  facts: RequestFacts,
  parts: ReceiverParts,
): Promise<Response> {
  const { end, employee, partner, requestId } = post
  const result = `${end}-ended` as const
  const linkId = await employeeDigestOf(employee)
  const taken = await withinRate(post, parts, () =>
    parts.runTransaction(
      async stores => {
        const used = await consume(stores, post)
        if (used === 'used') return used
        // `again`: the former attempt was committed.
        const hasEndedSessions = end === 'context' || stores.sessions !== undefined
        if (used === 'again') return { hasEndedSessions }
        // First, so that it waits for visits of this moment, and then sees their sessions.
        await stores.accounts.endContext(linkId, requestId)
        const account = await stores.accounts.find(employee)
        if (end === 'session') await stores.sessions?.endLinked(linkId)
        const entry = { requestId, at: post.at, event: 'post', outcome: result } as const
        await recordEntry(stores, entry, employee, account?.id)
        return { hasEndedSessions }
      },
      { isRepeatable: true },
    ),
  )
  return answerOrRefuse(visitor, { ...facts, employee, isTaken: true }, parts, async ({ event }) => {
    if (!taken.hasEndedSessions) await parts.sessions.endLinked(linkId)
    parts.tell({ requestId, event, result, partnerId: partner.id })
    if (isForProgram(visitor, partner)) {
      const headers = { ...closedHeaders(visitor, requestId), 'content-type': 'application/json' }
      return new Response(JSON.stringify({ ended: end }), { headers })
    }
    const nonce = crypto.randomUUID()
    const { id, name, appearance, frameOrigins } = partner
    const toFrame = isFramed(visitor, frameOrigins) ? frameScript({ event: 'cleared' }, frameOrigins) : ''
    const script = scriptElement(endScript(requestId) + toFrame, nonce)
    const shown = { end, requestId, partner: { id, name, appearance }, script, request: visitor.request }
    const headers = {
      ...closedHeaders(visitor, requestId, frameOrigins, nonce),
      'content-type': 'text/html; charset=utf-8',
    }
    return new Response(renderSafely(parts.renderEnd, renderEndPage, shown), { headers })
  })
}
