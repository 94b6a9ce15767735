import type { EngineWindow } from '@service-link/window-engine'
import { EngineError } from '@service-link/window-engine'
import { timeLimit, unlessAborted } from '../command/time-limit.ts'
import { DocumentChange } from './document-change.ts'
import { growingPause } from './growing-pause.ts'
import { pause } from './pause.ts'
import { SignOnRefusedError } from './sign-on-refused-error.ts'
import { SignOnUnreachableError } from './sign-on-unreachable-error.ts'

/** Options of {@link postPayload}. */
export interface PostPayloadOptions {
  /** `{sso_url}/partner/payload`. */
  readonly url: string
  /** Whether a page has connected, which the one that is posted to takes the place of. */
  readonly isPageThere: boolean
  /** Longest wait for the service's answer, in milliseconds. */
  readonly timeoutMs: number
  /** Longest wait for a service that cannot be reached, in milliseconds. Default 5 minutes: no payload lives longer. */
  readonly reachMs?: number
  readonly signal: AbortSignal
  /** How it waits. Default {@link pause}. */
  readonly wait?: typeof pause
}

/** How long a document that came while the form was on its way is taken for the one before, in milliseconds. */
const settleMs = 1000
/** Longest wait for a service to say that it is there, in milliseconds. */
const lookMs = 10_000
/** What a gateway says whose service is down. */
const downStatuses: readonly number[] = [502, 503, 504]

/**
 * Posts a signed payload in the window (specification 4.1) and waits until the page that it led to has taken the former page's
 * place. A service that cannot be reached, or whose gateway says that it is down, is waited for. It may have taken the payload
 * all the same, and then refuses it the second time.
 *
 * @throws {SignOnRefusedError} when the service refuses; the window keeps its page then
 * @throws {SignOnUnreachableError} when it cannot be reached while the payload may be valid
 * @throws {EngineError} `timeout` when it does not answer; `refused`, `gone`
 */
export async function postPayload(
  window: EngineWindow,
  payload: string,
  { url, isPageThere, timeoutMs, reachMs = 300_000, signal, wait = pause }: PostPayloadOptions,
): Promise<void> {
  using document = new DocumentChange(window, isPageThere)
  using limit = timeLimit(reachMs, () => new SignOnUnreachableError(reachMs), signal)
  let looks = 0
  while (!(await isPosted())) {
    do {
      await wait(growingPause(looks++, { firstMs: 2000, longestMs: 30_000 }), limit.signal)
      limit.signal.throwIfAborted()
    } while (!(await window.canReach(url, { timeoutMs: lookMs, signal: limit.signal })))
    limit.signal.throwIfAborted()
  }
  // One that does not come leaves the page that was there, and its user.
  const limitMs = document.hasArrived ? Math.min(settleMs, timeoutMs) : timeoutMs
  await unlessAborted(Promise.race([document.next(), pause(limitMs, signal)]), signal)

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

/** `{sso_url}/partner/payload` (specification 4.1), whatever the base ends with. */
export function payloadUrl(ssoUrl: string): string {
  const url = new URL(ssoUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/partner/payload`
  return url.href
}
