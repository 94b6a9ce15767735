import type { PartnerAppearance } from '@service-link/jwt-payload/steps'
import type { ReceiverParts, RequestFacts } from '../audit.ts'
import { wrongAnswer } from '../receiver-errors.ts'
import { openBaseOf } from '../receiver-options.ts'
import type { Delivery } from '../stores/ports.ts'
import { answerOrRefuse } from './answer-refusal.ts'
import type { Outcome } from './apply-delivery.ts'
import { closedHeaders, securityHeaders, type Visitor } from './headers.ts'

/** Answers with a one-time URL for the partner to open by itself, or with the page that opens the web app. Tells the listener. */
export function answerOutcome(
  outcome: Outcome,
  visitor: Visitor,
  facts: RequestFacts,
  parts: ReceiverParts,
): Promise<Response> {
  const { requestId, partner, employee } = outcome.delivery
  return answerOrRefuse(visitor, { ...facts, partner, employee, isTaken: true }, parts, async ({ event }) => {
    if ('openHandle' in outcome) {
      parts.tell({ requestId, event, result: 'link', partnerId: partner.id })
      const headers = { ...closedHeaders(visitor, requestId), 'content-type': 'application/json' }
      const url = `${openBaseOf(parts.audience[0] ?? '')}${outcome.openHandle}`
      return new Response(JSON.stringify({ url }), { headers })
    }
    // 244 random bits. Runtimes make UUIDs in batches; 16 random bytes for each post take longer than all its headers.
    const nonce = `${crypto.randomUUID()}${crypto.randomUUID()}`
    const { frameOrigins, ...shown } = partner
    const policy = parts.contentSecurityPolicy(nonce, frameOrigins, imageSourcesOf(shown.appearance))
    assertText('contentSecurityPolicy', policy)
    const { page, setCookies } = await pageOf(outcome, visitor, parts)
    const contactId = page.kind === 'signed-in' ? outcome.delivery.payload.contact.id : undefined
    const frame = outcome.sessionContext.isFramed ? { origins: frameOrigins, contactId } : undefined
    const shownPage = { requestId, partner: shown, frame, ...page }
    const html = await parts.renderPage(shownPage, { nonce, request: visitor.request })
    assertText('renderPage', html)
    parts.tell({ requestId, event, result: page.kind, partnerId: partner.id })
    const headers = {
      ...securityHeaders(requestId, policy, frameOrigins),
      'content-type': 'text/html; charset=utf-8',
    }
    const response = new Response(html, { status: 200, headers })
    for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
    return response
  })
}

/** The page of a visitor who must log in, or of one who is signed in. Makes the session if the transaction has not. */
async function pageOf(
  outcome: Exclude<Outcome, { openHandle: string }>,
  { request, formOrigin }: Visitor,
  { sessions }: ReceiverParts,
) {
  if ('handle' in outcome) {
    const { delivery, handle, expiresAt } = outcome
    const page = {
      kind: 'log-in' as const,
      employee: employeeFacts(delivery),
      ...(formOrigin === undefined ? {} : { sentFrom: formOrigin }),
      handle,
      expiresAtMs: expiresAt.getTime(),
    }
    return { page, setCookies: [] }
  }
  const { account, contact, session, sessionContext, before } = outcome
  const { setCookies } = Object(session ?? (await sessions.create(account, request, sessionContext)))
  const isList = Array.isArray(setCookies) && setCookies.every(cookie => typeof cookie === 'string')
  if (!isList) throw wrongAnswer('sessions.create', 'setCookies: a list of texts')
  const replaced = before && before.id !== account.id ? { replacedAccount: before } : {}
  return {
    page: { kind: 'signed-in' as const, account, linkId: sessionContext.linkId, contact, ...replaced },
    setCookies,
  }
}

function assertText(part: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw wrongAnswer(part, 'text that is not empty')
}

function imageSourcesOf({ logoUrl }: PartnerAppearance): readonly string[] {
  if (logoUrl === undefined) return []
  return [logoUrl.startsWith('data:') ? 'data:' : new URL(logoUrl).origin]
}

function employeeFacts({ employee, payload }: Delivery) {
  return {
    id: employee.employeeId,
    organizationId: employee.organizationId,
    organizationName: payload.organizationName,
    username: payload.employeeUsername,
    firstname: payload.employeeFirstname,
    lastname: payload.employeeLastname,
    email: payload.employeeEmail,
  }
}
