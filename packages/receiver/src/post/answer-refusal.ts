import { PayloadShapeError, type RefusalCode, UnavailableError } from '@service-link/jwt-payload'
import { Refusal } from '@service-link/jwt-payload/steps'
import { assertParameter } from '@service-link/protocol-core/errors'
import type { ReceiverParts, RequestFacts } from '../audit.ts'
import { frameScript, scriptElement } from '../pages/frame-script.ts'
import { type RenderRefusal, renderRefusalPage, renderSafely } from '../pages/refusal-page.ts'
import type { DeliveryPartner } from '../partner-directory.ts'
import { MethodNotAllowedError, RateLimitedError } from '../receiver-errors.ts'
import { closedHeaders, isFramed, readVisitor, type Visitor } from './headers.ts'

/**
 * Runs work on a request and answers every failure as a refusal, with the facts that are known so far: work that knows more answers
 * its own failures. Errors that are no refusals go to the listener alone. The failure of a client that went away is dropped. Never
 * rejects.
 */
export async function answerOrRefuse(
  visitor: Visitor,
  facts: RequestFacts,
  parts: ReceiverParts,
  work: (facts: RequestFacts) => Promise<Response>,
): Promise<Response> {
  try {
    return await work(facts)
  } catch (error) {
    const isRefusal = error instanceof Refusal
    const refusal = isRefusal ? error : unavailable(facts)
    if (isRefusal || !isGivenUp(visitor.request, error))
      parts.refused(facts, refusal, isRefusal ? undefined : { cause: error })
    return answerRefusal(refusal, visitor, facts.requestId, facts.partner, parts.renderRefusal)
  }
}

function isGivenUp({ signal }: { readonly signal?: AbortSignal | null }, error: unknown): boolean {
  // Requests of some runtimes have no signal.
  return signal?.aborted === true && error === signal.reason
}

/** A payload that took effect cannot be posted again. The sentence says that a new one finds the same person. */
function unavailable({ isTaken }: RequestFacts): UnavailableError {
  return new UnavailableError(
    isTaken
      ? 'The payload was taken, but the page that opens the service could not be made. Open the service from your application again: a new payload finds the same person, and nothing is entered twice.'
      : 'The service cannot take payloads at the moment. Send a new one in a while.',
  )
}

/** Seconds after which a 503 is worth a retry. */
const unavailableRetrySeconds = 5

/** Options of {@link refusalResponse}. */
export interface RefusalResponseOptions {
  /** Default: a random UUID. */
  readonly requestId?: string | undefined
  /** Default: the built-in page. */
  readonly renderRefusal?: RenderRefusal | undefined
}

/**
 * Answers a refusal as `application/problem+json` (RFC 9457) with `code` and `requestId`, or as a page: a sentence for its
 * reader, and the same facts in a fold for developers. The request's `Accept` decides; a script of another origin gets the problem,
 * and may read it. The answer holds nothing of the token. A service may also use it for its own checks in front of the receiver.
 *
 * @param request its headers are read; `renderRefusal` gets it
 * @throws {ParameterError} if an argument or an option is of another type, or an option is not known
 * @example
 * ```ts
 * import { RateLimitedError, refusalResponse } from '@service-link/receiver'
 *
 * return refusalResponse(new RateLimitedError(30, 'Too many payloads from this address were refused.'), request)
 * ```
 */
export function refusalResponse(
  refusal: Refusal,
  request: Request,
  options: RefusalResponseOptions = {},
): Response {
  assertParameter('refusal', refusal, 'object', { code: 'text', status: 'number' })
  assertParameter('request', request, 'object', { method: 'text', url: 'text', headers: 'object' })
  assertParameter('options', options, 'closed', { requestId: 'text?', renderRefusal: 'function?' })
  const { requestId = crypto.randomUUID(), renderRefusal = renderRefusalPage } = options
  return answerRefusal(refusal, readVisitor(request), requestId, undefined, renderRefusal)
}

function answerRefusal(
  refusal: Refusal,
  visitor: Visitor,
  requestId: string,
  partner: DeliveryPartner | undefined,
  renderRefusal: RenderRefusal,
): Response {
  const asHtml = visitor.scriptOrigin === undefined && visitor.wantsHtmlProblem
  const retryAfter = retryAfterOf(refusal)
  const { frameOrigins = [] } = partner ?? {}
  const { code } = refusal
  const script = isFramed(visitor, frameOrigins) ? frameScript({ event: 'refused', code }, frameOrigins) : ''
  const nonce = crypto.randomUUID()
  const headers = {
    ...closedHeaders(visitor, requestId, frameOrigins, script && nonce),
    ...(refusal instanceof MethodNotAllowedError ? { allow: refusal.allowed } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    'content-type': asHtml ? 'text/html; charset=utf-8' : 'application/problem+json',
  }
  const body = asHtml
    ? renderSafely(renderRefusal, renderRefusalPage, {
        refusal,
        requestId,
        script: scriptElement(script, nonce),
        partner: partner && { id: partner.id, name: partner.name, appearance: partner.appearance },
        request: visitor.request,
      })
    : JSON.stringify(problemOf(refusal, requestId))
  return new Response(body, { status: refusal.status, headers })
}

function retryAfterOf(refusal: Refusal): number | undefined {
  if (refusal instanceof RateLimitedError) return refusal.retryAfterSeconds
  return refusal.status === 503 ? unavailableRetrySeconds : undefined
}

/** Titles of problems. */
const titles: Partial<Record<RefusalCode, string>> = {
  ERR_NOT_NAVIGATED: 'Not opened by the user',
  ERR_METHOD_NOT_ALLOWED: 'Method not allowed',
  ERR_MEDIA_TYPE: 'The body is not a form',
  ERR_PAYLOAD_TOO_LARGE: 'The payload is too large',
  ERR_PAYLOAD_MISSING: 'The request cannot be read',
  ERR_PAYLOAD_MALFORMED: 'The request cannot be read',
  ERR_CROSS_ORIGIN: 'Not posted by a form',
  ERR_PARTNER_INACTIVE: 'The partner is not active',
  ERR_PAYLOAD_SHAPE: 'Claims are not accepted',
  ERR_END_NOT_ALLOWED: 'Ends are not taken',
  ERR_RATE_LIMITED: 'Too many requests',
  ERR_UNAVAILABLE: 'The service is not available',
  ERR_LINK_GONE: 'The link is gone',
}

function problemOf(refusal: Refusal, requestId: string) {
  return {
    type: refusal.docsUrl,
    title: titles[refusal.code] ?? 'The payload is not accepted',
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal instanceof PayloadShapeError ? { issues: refusal.issues } : {}),
  }
}
