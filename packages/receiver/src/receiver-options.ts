import type { Refusal } from '@service-link/jwt-payload/steps'
import { addressAdvice, addressProblem } from '@service-link/jwt-payload/steps'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import { type RenderEnd, renderEndPage } from './pages/end-page.ts'
import { type RenderRefusal, renderRefusalPage } from './pages/refusal-page.ts'
import type { RenderPage } from './pages/render-boot-page.ts'
import type { PartnerDirectory } from './partner-directory.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { ReceiverOptionError, wrongAnswer } from './receiver-errors.ts'
import { reportFailure } from './report-failure.ts'
import type {
  AuditLog,
  AuditOutcome,
  RunInTransaction,
  Sessions,
  TakeKnownVisit,
  VisitEvent,
} from './stores/ports.ts'

/** The result of one request; for logs and counters. Holds no claim. */
export interface ReceiverEvent {
  readonly requestId: string
  readonly event: VisitEvent
  /** `gone`: the payload that waited for a log-in, or the link, was not there. */
  readonly result: AuditOutcome | 'gone'
  /** `undefined` before the signature was verified. */
  readonly partnerId: string | undefined
  /** The refusal, with its sentence, where `result` is its code. */
  readonly refusal?: Refusal | undefined
  /** The error of a store, for `ERR_UNAVAILABLE`. It may hold personal data: log it with care. */
  readonly cause?: unknown
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions {
  /**
   * Public address of the post, `{sso_url}/partner/payload`; tokens need it as `aud`. One-time URLs lie below it, at `/open/…`.
   * Of several the first is shown in refusals.
   */
  readonly url: string | readonly [string, ...string[]]
  /** Finds the partner of a token: `createPartnerDirectory` makes one of registrations. */
  readonly partners: PartnerDirectory
  /** Runs work over the service's stores in one transaction. `createMemoryStore` has one in memory. */
  readonly runTransaction: RunInTransaction
  /** Takes usual posts at once. Default: every post is a transaction over the stores. */
  readonly takeKnownVisit?: TakeKnownVisit | undefined
  /** Finds, makes and ends your web app's sessions. `createMemorySessions` has them in memory. */
  readonly sessions: Sessions
  /** Writes the page that opens your web app: usually `renderBootPage` over its index.html. */
  readonly renderPage: RenderPage
  /** Writes the page of a refusal. Default: a plain page in English. */
  readonly renderRefusal?: RenderRefusal | undefined
  /** Writes the page that answers a signed end. Default: a plain page in English. */
  readonly renderEnd?: RenderEnd | undefined
  /** Counts each partner's posts. Default: in memory, for this process. */
  readonly rateLimiter?: RateLimiter | undefined
  /**
   * Records refusals of a verified partner, after the answer: once an hour for each token and code, and at most 600 a minute for
   * each partner and code. Its failures are dropped. Effects are recorded by the stores' own `audit`. Default: none.
   */
  readonly audit?: AuditLog | undefined
  /**
   * Content-Security-Policy of the page. Default: everything from its own origin, inline scripts by nonce, the partner's logo.
   *
   * @param frameAncestors origins whose pages may frame it; empty: no page may
   * @param imageSources for the partner's logo: its origin, `data:` or nothing
   */
  readonly contentSecurityPolicy?:
    | ((nonce: string, frameAncestors: readonly string[], imageSources: readonly string[]) => string)
    | undefined
  /** How long a body may take to arrive, in milliseconds. Default 10,000. */
  readonly bodyTimeoutMs?: number | undefined
  /** Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
  /**
   * Called after every request, except one whose client goes away while a key set is fetched. Its failures are dropped and
   * change no answer. Default: a failure of a part of the service, such as a store, is a line on the error output, without its message.
   */
  readonly onEvent?: ((event: ReceiverEvent) => void) | undefined
}

type OwnStores = Pick<ReceiverOptions, 'audit' | 'takeKnownVisit'>

export type ReceiverSettings = OwnStores & {
  readonly [Name in Exclude<keyof ReceiverOptions, 'url' | keyof OwnStores>]-?: NonNullable<
    ReceiverOptions[Name]
  >
} & { readonly audience: readonly string[] }

export function resolveReceiverOptions(options: ReceiverOptions): ReceiverSettings {
  assertParameter('options', options, 'closed', {
    url: 'any',
    partners: 'any',
    runTransaction: 'function',
    takeKnownVisit: 'function?',
    sessions: 'object',
    renderPage: 'function',
    renderRefusal: 'function?',
    renderEnd: 'function?',
    rateLimiter: 'object?',
    audit: 'object?',
    contentSecurityPolicy: 'function?',
    bodyTimeoutMs: milliseconds,
    clock: 'clock?',
    onEvent: 'function?',
  })
  const {
    url,
    contentSecurityPolicy = defaultContentSecurityPolicy,
    renderRefusal = renderRefusalPage,
    renderEnd = renderEndPage,
    bodyTimeoutMs = 10_000,
    clock = () => new Date(),
    onEvent = reportFailure,
    rateLimiter = createRateLimiter(),
    ...others
  } = options
  const { partners, sessions, audit } = others
  if (Array.isArray(partners))
    throw new ParameterError(
      'options.partners',
      'a directory, as createPartnerDirectory makes it of registrations',
    )
  assertParameter('options.partners', partners, 'object', { find: 'function', get: 'function' })
  const ofSessions = { current: 'function', create: 'function', endLinked: 'function' } as const
  assertParameter('options.sessions', sessions, 'object', ofSessions)
  assertParameter('options.rateLimiter', rateLimiter, 'object', { take: 'function', giveBack: 'function' })
  assertParameter('options.audit', audit, 'object?', { record: 'function' })
  const audience = assertAddresses([url].flat())
  return {
    ...others,
    runTransaction: passingResults(others.runTransaction),
    contentSecurityPolicy,
    renderRefusal,
    renderEnd,
    bodyTimeoutMs,
    clock,
    onEvent,
    rateLimiter,
    audience,
  }
}

/** Work of the receiver always gives a value. A store that gives another one may have committed without waiting for the work. */
function passingResults(runTransaction: RunInTransaction): RunInTransaction {
  return async (work, context) => {
    let given: unknown
    const run: typeof work = async stores => {
      const result = await work(stores)
      given = result
      return result
    }
    const result = await runTransaction(run, context)
    const isPassed = result !== undefined && result === given
    if (!isPassed) throw wrongAnswer('runTransaction', 'what work(stores) gives: await it, and return it')
    return result
  }
}

function assertAddresses(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new ReceiverOptionError('The option url must have an address.')
  for (const address of addresses) {
    const problem = addressProblem(address)
    if (problem) throw new ReceiverOptionError(`The option url ${problem}. ${addressAdvice}`)
  }
  return addresses
}

/** What one-time URLs begin with: the address or path of the post may end with a slash. */
export function openBaseOf(post: string): string {
  return `${post.replace(/\/$/, '')}/open/`
}

/** A policy for a page whose scripts and styles come from its own origin, besides inline scripts with the nonce. */
function defaultContentSecurityPolicy(
  nonce: string,
  frameAncestors: readonly string[] = [],
  imageSources: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    ...(imageSources.length > 0 ? [`img-src 'self' ${imageSources.join(' ')}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    frameAncestorsDirective(frameAncestors),
  ].join('; ')
}

/** The directive for pages that may be framed by these origins alone. */
export function frameAncestorsDirective(origins: readonly string[]): string {
  return `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`
}
