import { defineError } from '@service-link/protocol-core/errors'
import { Deadline, growingPause, pause } from '@service-link/protocol-core/time'
import { EngineError, type EngineWindow } from '@service-link/window-engine'

/**
 * The service refused the signed payload of a launch: it has expired, was used before, or its partner is unknown. A new one may
 * be taken.
 *
 * @remedy Open the person in the other application again. If it stays so, look for the refusal in the service’s log.
 * @retry with a new payload
 * @seenBy user, partner's developer
 */
export class SignOnRefusedError extends defineError('ERR_SIGN_ON_REFUSED', (status: number) => ({
  message: `The service refused the sign-on from the other application (status ${status}).`,
  /** Status of the service's answer, 400 and above. */
  status,
})) {}

/**
 * The service could not be reached with the signed payload of a launch during the payload's life. If a gateway answered in its
 * place, the service may have taken it. A new one is needed.
 *
 * @remedy Check network, proxy and the setting `SsoUrl`, then open the person in the other application again.
 * @retry with a new payload
 * @seenBy user, administrator
 */
export class SignOnUnreachableError extends defineError('ERR_SIGN_ON_UNREACHABLE', (waitedMs: number) => ({
  message: `The service could not be reached for the sign-on from the other application within ${Math.round(waitedMs)} ms. Open the person there again.`,
  /** The wait in milliseconds. */
  waitedMs,
})) {}

interface PostPayloadOptions {
  readonly url: string
  /** Whether a page has connected, which the service's answer replaces. */
  readonly isPageThere: boolean
  /** Longest wait for the service's answer, in milliseconds. */
  readonly timeoutMs: number
  /** Longest wait for a service that cannot be reached, in milliseconds. Default 5 minutes: no payload lives longer. */
  readonly reachMs?: number
  readonly signal: AbortSignal
  readonly wait?: typeof pause
}

/** A document that came while the form was on its way counts as the former one for this time, in milliseconds. */
const settleMs = 1000
/** Longest wait for a sign of the service, in milliseconds. */
const lookMs = 10_000
/** Answers of a gateway whose service is down. */
const downStatuses: readonly number[] = [502, 503, 504]

/**
 * Posts a signed payload in the window (spec 4.1) and waits until the next page has replaced the former one. Waits for a
 * service that cannot be reached, or whose gateway says that it is down. Such a service may have taken the payload; it then
 * refuses the second post.
 *
 * @returns whether it has replaced it; if no document comes, the page and its user stay
 */
export async function postPayload(
  window: EngineWindow,
  payload: string,
  { url, isPageThere, timeoutMs, reachMs = 300_000, signal, wait = pause }: PostPayloadOptions,
): Promise<boolean> {
  using document = new DocumentChange(window, isPageThere)
  using reach = new Deadline(reachMs, signal).limit(() => new SignOnUnreachableError(reachMs))
  let looks = 0
  while (!(await isPosted())) {
    do {
      await wait(growingPause(looks++, { firstMs: 2000, longestMs: 30_000 }), reach.signal)
    } while (!(await window.canReach(url, { timeoutMs: lookMs, signal: reach.signal })))
  }
  const limitMs = document.hasArrived ? Math.min(settleMs, timeoutMs) : timeoutMs
  return await Promise.race([document.next().then(() => true), pause(limitMs, signal).then(() => false)])

  async function isPosted(): Promise<boolean> {
    document.begin()
    try {
      const { status } = await window.post(url, { payload }, { timeoutMs, signal })
      if (downStatuses.includes(status)) return false
      if (status >= 400) throw new SignOnRefusedError(status)
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof EngineError && error.fault === 'navigation') return false
      throw error
    }
  }
}

/** `{sso_url}/partner/payload` (spec 4.1). The base may end with slashes. */
export function payloadUrl(ssoUrl: string): string {
  const url = new URL(ssoUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/partner/payload`
  return url.href
}

/** Follows the window's document, to tell when a posted form has replaced it. */
class DocumentChange implements Disposable {
  /** Whether the first document has come since {@link begin}. */
  hasArrived = false
  readonly #stops: readonly (() => void)[]
  #isThere: boolean
  /** Whether the wait ends with an arrival, else with a departure. */
  #awaitsArrival = false
  #changed = Promise.withResolvers<void>()

  /** @param isThere whether there is a document at first */
  constructor(window: EngineWindow, isThere: boolean) {
    this.#isThere = isThere
    const arrive = () => {
      this.hasArrived ||= !this.#isThere
      this.#isThere = true
      if (this.#awaitsArrival) this.#changed.resolve()
    }
    const depart = () => {
      this.#isThere = false
      this.#changed.resolve()
    }
    this.#stops = [window.on('loaded', arrive), window.on('message', arrive), window.on('unloading', depart)]
  }

  /** Forgets earlier changes. */
  begin(): void {
    this.hasArrived = false
    this.#changed = Promise.withResolvers()
  }

  /** Waits until the present document has gone or, if there is none, one has come. */
  next(): Promise<void> {
    this.#awaitsArrival = !this.#isThere
    return this.#changed.promise
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }
}
