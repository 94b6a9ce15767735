import { securityHeaders } from './answers.ts'
import { type Applied, type HeldForLogIn, isFramed, sessionContextOf } from './apply-delivery.ts'
import { createNonce } from './handles.ts'
import type { DeliveryPartner, PartnerAppearance, ShownPartner } from './partner-registration.ts'
import type { Account, Delivery } from './ports.ts'
import type { ReceiverSettings } from './receiver-options.ts'
import type { PageOutcome } from './render-boot-page.ts'

/**
 * Answers with the page that opens the web app. Makes the session if the transaction has not.
 *
 * @param before the account that the request's cookies signed in
 */
export async function answerPage(
  result: Applied | HeldForLogIn,
  request: Request,
  before: Account | undefined,
  { sessions, renderPage, contentSecurityPolicy }: ReceiverSettings,
): Promise<{ readonly response: Response; readonly outcome: PageOutcome }> {
  const { partner, requestId } = result.delivery
  const frameAncestors = partner.frameOrigins
  const nonce = createNonce()
  const policy = contentSecurityPolicy(nonce, frameAncestors, imageSourcesOf(partner.appearance))
  const headers = new Headers({
    ...securityHeaders(requestId, policy, frameAncestors),
    'content-type': 'text/html; charset=utf-8',
  })
  let outcome: PageOutcome
  if (result.kind === 'applied') {
    const { delivery, account, session } = result
    const { setCookies } =
      session ?? (await sessions.create(account, request, await sessionContextOf(delivery, request)))
    for (const cookie of setCookies) headers.append('set-cookie', cookie)
    outcome = signedInOutcome(result, request, before)
  } else outcome = logInOutcome(result, request)
  const html = await renderPage(outcome, { nonce, request, frameAncestors })
  return { response: new Response(html, { status: 200, headers }), outcome }
}

function imageSourcesOf({ logoUrl }: PartnerAppearance): readonly string[] {
  if (logoUrl === undefined) return []
  return [logoUrl.startsWith('data:') ? 'data:' : new URL(logoUrl).origin]
}

function signedInOutcome(
  { delivery, account, contact }: Applied,
  request: Request,
  before: Account | undefined,
): PageOutcome {
  return {
    kind: 'signed-in',
    requestId: delivery.requestId,
    partner: shownPartner(delivery.partner),
    isFramed: isFramed(delivery.partner, request),
    account,
    contact,
    ...(before && before.id !== account.id ? { replacedAccount: before } : {}),
  }
}

function logInOutcome({ delivery, handle, expiresAt }: HeldForLogIn, request: Request): PageOutcome {
  // A browser states it with every form that it posts; `null` means that the page hides it.
  const origin = request.headers.get('origin') ?? 'null'
  return {
    kind: 'log-in',
    requestId: delivery.requestId,
    partner: shownPartner(delivery.partner),
    isFramed: isFramed(delivery.partner, request),
    employee: employeeFacts(delivery),
    ...(origin === 'null' ? {} : { sentFrom: origin }),
    handle,
    expiresAtMs: expiresAt.getTime(),
  }
}

function shownPartner({ id, name, appearance }: DeliveryPartner): ShownPartner {
  return { id, name, appearance }
}

function employeeFacts({
  employee,
  payload,
}: Delivery): Extract<PageOutcome, { kind: 'log-in' }>['employee'] {
  const { organizationName, employeeUsername, employeeFirstname, employeeLastname, employeeEmail } = payload
  return {
    id: employee.employeeId,
    organizationId: employee.organizationId,
    ...(organizationName === undefined ? {} : { organizationName }),
    ...(employeeUsername === undefined ? {} : { username: employeeUsername }),
    ...(employeeFirstname === undefined ? {} : { firstname: employeeFirstname }),
    ...(employeeLastname === undefined ? {} : { lastname: employeeLastname }),
    ...(employeeEmail === undefined ? {} : { email: employeeEmail }),
  }
}
