import { isFramed, sessionContextOf } from '../framing.ts'
import { createNonce } from '../handles.ts'
import type { Applied, HeldForLogIn } from '../ports/effects.ts'
import type { PageOutcome } from '../ports/page.ts'
import type { PartnerAppearance } from '../ports/partners.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { Visit } from '../visit.ts'
import { logInOutcome, signedInOutcome } from './page-outcome.ts'
import { securityHeaders } from './security-headers.ts'

/** Answers with the page that opens the web app; makes the session where the effects have not. */
export async function answerPage(
  result: Applied | HeldForLogIn,
  visit: Visit,
  { sessions, renderPage, contentSecurityPolicy }: ReceiverSettings,
): Promise<{ readonly response: Response; readonly outcome: PageOutcome }> {
  const { delivery } = result
  const { partner, requestId } = delivery
  const nonce = createNonce()
  const frameAncestors = partner.frameOrigins
  const policy = contentSecurityPolicy(nonce, frameAncestors, imageSourcesOf(partner.appearance))
  const headers = {
    ...securityHeaders(requestId, policy, frameAncestors),
    'content-type': 'text/html; charset=utf-8',
  }
  const framed = isFramed(partner, visit.request)
  let outcome: PageOutcome
  let setCookies: readonly string[] = []
  if (result.kind === 'applied') {
    const { request } = visit
    const session =
      result.session ??
      (await sessions.create(result.account, request, await sessionContextOf(delivery, request)))
    setCookies = session.setCookies
    outcome = signedInOutcome(result, visit.before, framed)
  } else {
    const { handle, expiresAt } = await visit.logIn()
    outcome = logInOutcome(result, handle, expiresAt, framed, visit.request)
  }
  const html = await renderPage(outcome, { nonce, request: visit.request, frameAncestors })
  const response = new Response(html, {
    status: 200,
    headers: setCookies.length === 0 ? headers : withCookies(headers, setCookies),
  })
  return { response, outcome }
}

/** Each cookie is a header of its own. */
function withCookies(headers: Readonly<Record<string, string>>, setCookies: readonly string[]): Headers {
  const all = new Headers(headers)
  for (const cookie of setCookies) all.append('set-cookie', cookie)
  return all
}

function imageSourcesOf({ logoUrl }: PartnerAppearance): readonly string[] {
  if (logoUrl === undefined) return []
  return [logoUrl.startsWith('data:') ? 'data:' : new URL(logoUrl).origin]
}
