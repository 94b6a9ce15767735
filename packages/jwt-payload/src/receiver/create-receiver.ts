import { UnavailableError } from '../errors/payload-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RefusalCode } from '../errors/refusal-codes.ts'
import { isHttpUrl } from '../http/is-http-url.ts'
import { defaultToleranceSeconds } from '../verify/verify-payload.ts'
import { createHandle, createNonce, digestOf } from './handles.ts'
import { negotiate } from './negotiate.ts'
import { logInOutcome, signedInOutcome } from './page-outcome.ts'
import type { Account } from './ports/accounts.ts'
import type { Hold } from './ports/delivery.ts'
import type { Applied, DeliveryEffects, HeldForLogIn } from './ports/effects.ts'
import type { PageOutcome, RenderPage } from './ports/page.ts'
import type { PartnerDirectory } from './ports/partners.ts'
import type { Sessions } from './ports/sessions.ts'
import { readForm } from './read-form.ts'
import { receiveDelivery } from './receive-delivery.ts'
import {
  EmployeeLinkedError,
  LinkGoneError,
  MethodNotAllowedError,
  PayloadReplayedError,
  PendingGoneError,
  ReceiverOptionError,
} from './receiver-errors.ts'
import { refusalResponse } from './refusal-response.ts'
import {
  closedContentSecurityPolicy,
  defaultContentSecurityPolicy,
  securityHeaders,
} from './security-headers.ts'

/** Largest body of a post, in bytes. */
export const maxFormBytes = 64 * 1024

/** What became of one request; for logs and counters. Holds no claim. */
export interface ReceiverEvent {
  readonly requestId: string
  /** What was answered: the page of a signed-in user, the log-in page, a one-time URL; or the code of the refusal. */
  readonly result: 'signed-in' | 'log-in' | 'link' | RefusalCode
  /** Known once the token was verified. */
  readonly partnerId: string | undefined
  /** What a port threw, for `ERR_UNAVAILABLE`. It is the service's own error: log it with care. */
  readonly cause?: unknown
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions {
  /** Public address of the post, `{sso_url}/partner/payload`; the `aud` that tokens need. Several count alike, the first is shown. */
  readonly url: string | readonly [string, ...string[]]
  readonly partners: PartnerDirectory
  /** From `createEffects`, or the service's own. */
  readonly effects: DeliveryEffects
  readonly sessions: Sessions
  readonly renderPage: RenderPage
  /** Public address below which one-time URLs lie. Default: `url` and `/open`. */
  readonly openUrl?: string
  /** Content-Security-Policy of the page. Default: everything from its own origin, inline scripts by nonce. */
  readonly contentSecurityPolicy?: (nonce: string) => string
  /** How long a payload waits for its log-in, in seconds. Default 600. */
  readonly logInTimeoutSeconds?: number
  /** How long a one-time URL can be opened, in seconds. Default 60. */
  readonly openTimeoutSeconds?: number
  /** How long a body may take to arrive, in milliseconds. Default 10,000. */
  readonly bodyTimeoutMs?: number
  /** Difference of clocks that is tolerated, in seconds. Default 60. */
  readonly toleranceSeconds?: number
  /** Default: the machine's clock. */
  readonly clock?: () => Date
  /** Told of every request. What it throws, or rejects with, is dropped: it never changes an answer. Default: nobody. */
  readonly onEvent?: (event: ReceiverEvent) => void
}

/** The service's side of the partner link. Each method is independent of `this`. */
export interface Receiver {
  /** Answers `POST {sso_url}/partner/payload`. Never rejects: what fails is a refusal. */
  readonly receive: (request: Request) => Promise<Response>
  /** Answers `GET` of a one-time URL: any path below `openUrl`. Never rejects. */
  readonly open: (request: Request) => Promise<Response>
  /**
   * Lets a held payload take effect after its log-in: links (partner, organization, employee) to the account and puts the
   * person into the contact book. The session is the log-in's.
   *
   * @param handle from the log-in page
   * @param accountId the account that logged in
   * @throws {PendingGoneError} when the handle was used, has expired or never was
   * @throws {EmployeeLinkedError} when the employee has another account meanwhile
   * @throws {ReceiverOptionError} when there is no account of that id; the handle still works
   * @throws what a port throws
   */
  readonly completePending: (handle: string, accountId: string) => Promise<Applied>
}

/**
 * Makes the receiver (specification 4.1, 5.1; design: partner link).
 *
 * @throws {ReceiverOptionError} when an address is not an absolute http(s) URL
 * @example
 * ```ts
 * import { createReceiver, renderBootPage } from '@service-link/jwt-payload/receiver'
 *
 * const receiver = createReceiver({
 *   url: 'https://sso.example/partner/payload',
 *   partners, effects, sessions,
 *   renderPage: (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce }),
 * })
 * app.all('/partner/payload', context => receiver.receive(context.req.raw))
 * app.all('/partner/payload/open/:handle', context => receiver.open(context.req.raw))
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const audience = typeof options.url === 'string' ? [options.url] : options.url
  const openUrl = options.openUrl ?? `${audience[0]}/open`
  for (const url of [...audience, openUrl]) assertUrl(url)
  const { partners, effects, sessions, logInTimeoutSeconds = 600, openTimeoutSeconds = 60 } = options
  const { toleranceSeconds = defaultToleranceSeconds, bodyTimeoutMs = 10_000, onEvent } = options
  const { clock = () => new Date(), contentSecurityPolicy = defaultContentSecurityPolicy } = options

  /** A listener that fails must not turn an answer into another: what it is told of has happened. */
  const report = (event: ReceiverEvent): void => {
    const tell = async () => onEvent?.(event)
    tell().catch(() => undefined)
  }

  const holdFor = async (seconds: number): Promise<Hold & { readonly handle: string }> => ({
    ...(await createHandle()),
    expiresAt: new Date(clock().getTime() + seconds * 1000),
  })

  /** Before anything takes effect: whom the browser's cookies sign in, and where the payload could wait. */
  const beginVisit = async (request: Request): Promise<Visit> => ({
    request,
    before: request.headers.has('cookie') ? await sessions.current(request) : undefined,
    logIn: await holdFor(logInTimeoutSeconds),
  })

  const answerPage = async (
    result: Applied | HeldForLogIn,
    { request, before, logIn }: Visit,
  ): Promise<Response> => {
    const nonce = createNonce()
    const headers = securityHeaders(result.delivery.requestId, contentSecurityPolicy(nonce))
    headers.set('content-type', 'text/html; charset=utf-8')
    let outcome: PageOutcome
    if (result.kind === 'applied') {
      const session = result.session ?? (await sessions.create(result.account, request))
      for (const cookie of session.setCookies) headers.append('set-cookie', cookie)
      outcome = signedInOutcome(result, before)
    } else outcome = logInOutcome(result, logIn.handle, logIn.expiresAt)
    const html = await options.renderPage(outcome, { nonce, request })
    report({ requestId: result.delivery.requestId, result: outcome.kind, partnerId: outcome.partner.id })
    return new Response(html, { status: 200, headers })
  }

  /** Runs one request; whatever it throws becomes a refusal. */
  const answer = async (
    request: Request,
    work: (context: RequestContext) => Promise<Response>,
  ): Promise<Response> => {
    const context: RequestContext = { requestId: crypto.randomUUID(), partnerId: undefined }
    const { requestId } = context
    try {
      return await work(context)
    } catch (error) {
      const isRefusal = error instanceof Refusal
      const refusal = isRefusal
        ? error
        : new UnavailableError('The service cannot take payloads at the moment. Send a new one in a while.')
      report({
        requestId,
        result: refusal.code,
        partnerId: context.partnerId,
        ...(isRefusal ? {} : { cause: error }),
      })
      return refusalResponse(refusal, {
        requestId,
        asHtml: negotiate(request.headers.get('accept')).wantsHtmlProblem,
      })
    }
  }

  const answerLink = async (handle: string, requestId: string, partnerId: string): Promise<Response> => {
    const headers = securityHeaders(requestId, closedContentSecurityPolicy)
    headers.set('content-type', 'application/json')
    report({ requestId, result: 'link', partnerId })
    return new Response(JSON.stringify({ url: `${openUrl}/${handle}` }), { status: 200, headers })
  }

  return {
    receive: request =>
      answer(request, async context => {
        const text = await readForm(request, { maxBytes: maxFormBytes, timeoutMs: bodyTimeoutMs })
        const { delivery, replay } = await receiveDelivery(text, context, {
          partners,
          audience,
          toleranceSeconds,
          now: clock(),
        })
        if (negotiate(request.headers.get('accept')).wantsLink) {
          const open = await holdFor(openTimeoutSeconds)
          const { kind } = await effects.defer({ delivery, replay, open })
          if (kind === 'replayed') throw new PayloadReplayedError()
          return answerLink(open.handle, context.requestId, delivery.partner.id)
        }
        const visit = await beginVisit(request)
        const result = await effects.accept({ delivery, replay, logIn: visit.logIn, request })
        if (result.kind === 'replayed') throw new PayloadReplayedError()
        return answerPage(result, visit)
      }),
    open: request =>
      answer(request, async context => {
        if (request.method !== 'GET') throw new MethodNotAllowedError('GET')
        const handle = new URL(request.url).pathname.split('/').at(-1) ?? ''
        const visit = await beginVisit(request)
        const result = await effects.resume({
          handleDigest: await digestOf(handle),
          logIn: visit.logIn,
          now: clock(),
          request,
        })
        if (result.kind === 'gone') throw new LinkGoneError()
        context.partnerId = result.delivery.partner.id
        return answerPage(result, visit)
      }),
    completePending: async (handle, accountId) => {
      const result = await effects.complete({ handleDigest: await digestOf(handle), accountId, now: clock() })
      if (result.kind === 'gone') throw new PendingGoneError()
      if (result.kind === 'linked-elsewhere') throw new EmployeeLinkedError()
      return result
    },
  }
}

/** One browser that comes with a payload. */
interface Visit {
  readonly request: Request
  /** Who was signed in in it, as far as its cookies came along. */
  readonly before: Account | undefined
  readonly logIn: Hold & { readonly handle: string }
}

interface RequestContext {
  readonly requestId: string
  partnerId: string | undefined
}

function assertUrl(url: string): void {
  if (!isHttpUrl(url))
    throw new ReceiverOptionError('The addresses of the receiver must be absolute http or https URLs.')
}
