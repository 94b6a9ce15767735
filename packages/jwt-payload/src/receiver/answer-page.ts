import { securityHeaders } from './answers.ts'
import { type Applied, type HeldForLogIn, isFramed, sessionContextOf } from './apply-delivery.ts'
import { createNonce } from './handles.ts'
import type { DeliveryPartner, PartnerAppearance, ShownPartner } from './partner-registration.ts'
import type { Account, ContactMatch, Delivery } from './ports.ts'
import type { ReceiverSettings } from './receiver-options.ts'

/** What the page shows. It stands in the page as JSON, so it holds nothing that the page does not need. */
export type PageOutcome =
  | {
      readonly kind: 'signed-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /** Whether the page stands in a frame of the partner's own page. */
      readonly isFramed: boolean
      readonly account: Account
      readonly contact: ContactMatch
      /** Another account that was signed in in this browser and is not any more. The page says so. */
      readonly replacedAccount?: { readonly id: string; readonly displayName?: string }
    }
  | {
      readonly kind: 'log-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /** Whether the page stands in a frame of the partner's page. It then asks for no password, but offers the log-in in a window. */
      readonly isFramed: boolean
      /**
       * The employee whose log-in will be linked, in the partner's words. The page shows the names, or the ids if names are
       * missing, and the account's owner confirms the link after the log-in: another site may have made the browser post.
       */
      readonly employee: {
        readonly id: string
        readonly organizationId: string
        readonly organizationName?: string
        readonly username?: string
        readonly firstname?: string
        readonly lastname?: string
        readonly email?: string
      }
      /** Origin of the page that posted, as the browser states it. Missing for a one-time URL, a program, or a page that hides it. */
      readonly sentFrom?: string
      /** Goes back with the confirmation, to `completePending`; single use. */
      readonly handle: string
      /** When the handle expires, in milliseconds since 1970. */
      readonly expiresAtMs: number
    }

/** What a page needs besides its outcome. */
export interface PageContext {
  /** For `nonce` attributes of the page's inline scripts, as in the response's Content-Security-Policy. */
  readonly nonce: string
  readonly request: Request
  /** Origins whose pages may frame this one, as in the response's `frame-ancestors`; empty: no page may. */
  readonly frameAncestors: readonly string[]
}

/**
 * Writes the page that opens the web app, as a whole HTML document. `renderBootPage` puts the outcome into an existing
 * index.html and makes the page replace its own address.
 */
export type RenderPage = (outcome: PageOutcome, context: PageContext) => string | Promise<string>

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
