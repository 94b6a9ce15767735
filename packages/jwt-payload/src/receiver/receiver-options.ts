import { assertParameter } from '@service-link/protocol-core'
import { isHttpUrl } from '../http/post-input.ts'
import { defaultToleranceSeconds, listOf } from '../verify/verify-payload.ts'
import { defaultContentSecurityPolicy } from './answers/security-headers.ts'
import { createMemoryRateLimiter } from './memory/rate-limiter.ts'
import type { AuditLog, AuditOutcome, VisitEvent } from './ports/audit.ts'
import type { DeliveryEffects } from './ports/effects.ts'
import type { RenderPage } from './ports/page.ts'
import type { PartnerDirectory } from './ports/partners.ts'
import type { RateLimiter } from './ports/rate-limit.ts'
import type { Sessions } from './ports/sessions.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

/** What became of one request; for logs and counters. Holds no claim. */
export interface ReceiverEvent {
  readonly requestId: string
  readonly event: VisitEvent
  /** What came of it, or the code of the refusal; `gone`: what waited for a log-in, or a link, was not there. */
  readonly result: AuditOutcome | 'gone'
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
  /** Counts each partner's posts. Default: in memory, for this process. */
  readonly rateLimiter?: RateLimiter
  /**
   * Where refusals of a verified partner are recorded, after the answer is made: once an hour for each token and code, and at
   * most 600 a minute for each partner and code; what fails there is dropped. What takes effect is recorded by `effects`. Default: nowhere.
   */
  readonly audit?: AuditLog
  /** Public address below which one-time URLs lie. Default: `url` and `/open`. */
  readonly openUrl?: string
  /**
   * Content-Security-Policy of the page. Default: everything from its own origin, inline scripts by nonce, the partner's logo.
   *
   * @param frameAncestors origins whose pages may frame it; none: nobody may
   * @param imageSources what the partner's logo needs in `img-src`: its origin, `data:` or nothing
   */
  readonly contentSecurityPolicy?: (
    nonce: string,
    frameAncestors: readonly string[],
    imageSources: readonly string[],
  ) => string
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
  /**
   * Told of every request but one whose client goes away while a key set is fetched. What it throws, or rejects with, is dropped:
   * it never changes an answer. Default: nobody.
   */
  readonly onEvent?: (event: ReceiverEvent) => void
}

/** Options of which every one is there. */
export type ReceiverSettings = Required<Omit<ReceiverOptions, 'url' | 'audit'>> & {
  readonly audience: readonly string[]
  readonly audit: AuditLog | undefined
}

const functionsOf = (...names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, 'function'] as const))

/** The options that are ports, with their methods. */
const ports = {
  partners: functionsOf('find', 'get'),
  effects: functionsOf('accept', 'defer', 'resume', 'complete', 'links', 'unlink'),
  sessions: functionsOf('current', 'create', 'endLinked'),
  rateLimiter: functionsOf('take', 'giveBack'),
  audit: functionsOf('record'),
}

function assertOptions(options: ReceiverOptions): void {
  assertParameter('options', options, 'object', {
    partners: 'object',
    effects: 'object',
    sessions: 'object',
    renderPage: 'function',
    rateLimiter: 'object?',
    audit: 'object?',
    openUrl: 'text?',
    contentSecurityPolicy: 'function?',
    logInTimeoutSeconds: 'number?',
    openTimeoutSeconds: 'number?',
    bodyTimeoutMs: 'number?',
    toleranceSeconds: 'number?',
    clock: 'function?',
    onEvent: 'function?',
  })
  for (const name of ['partners', 'effects', 'sessions', 'rateLimiter', 'audit'] as const)
    assertParameter(`options.${name}`, options[name], 'object?', ports[name])
}

/**
 * Fills in the defaults.
 *
 * @throws {ParameterError} when an option is missing or of another type
 * @throws {ReceiverOptionError} when an address is not an absolute http(s) URL
 */
export function resolveReceiverOptions(options: ReceiverOptions): ReceiverSettings {
  assertOptions(options)
  const { url, audit, ...others } = options
  const audience = listOf<string>(url)
  const openUrl = options.openUrl ?? `${audience[0]}/open`
  for (const address of [...audience, openUrl])
    if (!isHttpUrl(address))
      throw new ReceiverOptionError('The options url and openUrl must be absolute http or https URLs.')
  return {
    contentSecurityPolicy: defaultContentSecurityPolicy,
    logInTimeoutSeconds: 600,
    openTimeoutSeconds: 60,
    bodyTimeoutMs: 10_000,
    toleranceSeconds: defaultToleranceSeconds,
    clock: () => new Date(),
    onEvent: () => undefined,
    rateLimiter: createMemoryRateLimiter(),
    ...others,
    audience,
    openUrl,
    audit,
  }
}
