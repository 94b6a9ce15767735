import { unlessAborted } from '../command/time-limit.ts'
import type { EngineWindow } from '../window/engine.ts'
import { EngineError } from '../window/engine-error.ts'
import { growingPause } from './growing-pause.ts'
import { pause } from './pause.ts'
import { SignOnRefusedError } from './sign-on-refused-error.ts'

/** Options of {@link postPayload}. */
export interface PostPayloadOptions {
  /** `{sso_url}/partner/payload`. */
  readonly url: string
  /** Whether a page has connected, which the one that is posted to takes the place of. */
  readonly isPageThere: boolean
  /** Longest wait for the service's answer, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** How long a document that came while the form was on its way is taken for the one before, in milliseconds. */
const settleMs = 1000

/**
 * Posts a signed payload in the window (specification 4.1) and waits until the page that it led to has taken the former page's
 * place. A service that cannot be reached is waited for.
 *
 * @throws {SignOnRefusedError} when the service refuses; the window keeps its page then
 * @throws {EngineError} `timeout` when it does not answer; `refused`, `gone`
 */
export async function postPayload(
  window: EngineWindow,
  payload: string,
  { url, isPageThere, timeoutMs, signal }: PostPayloadOptions,
): Promise<void> {
  using document = watchDocument(window, isPageThere)
  for (let attempt = 0; ; attempt++) {
    const status = await tryToPost()
    if (status !== undefined && status >= 400) throw new SignOnRefusedError(status)
    if (status !== undefined) break
    do {
      await pause(growingPause(attempt, { firstMs: 2000, longestMs: 30_000 }), signal)
      signal.throwIfAborted()
    } while (!(await window.canReach(url, { timeoutMs: 10_000, signal })))
  }
  // One that does not come leaves the page that was there, and its user.
  const limitMs = document.hasCome ? Math.min(settleMs, timeoutMs) : timeoutMs
  await unlessAborted(Promise.race([document.next(), pause(limitMs, signal)]), signal)

  async function tryToPost(): Promise<number | undefined> {
    document.begin()
    try {
      return (await window.post(url, { payload }, { timeoutMs, signal })).status
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof EngineError && error.fault === 'navigation') return undefined
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

/** Follows which document is there, so that the one that the post led to can be told from the one before it. */
function watchDocument(window: EngineWindow, isThereAtFirst: boolean) {
  let isThere = isThereAtFirst
  let hasCome = false
  let countsArrival = false
  let changed = Promise.withResolvers<void>()
  const come = () => {
    hasCome ||= !isThere
    isThere = true
    if (countsArrival) changed.resolve()
  }
  const go = () => {
    isThere = false
    changed.resolve()
  }
  const stops = [window.on('loaded', come), window.on('message', come), window.on('unloading', go)]
  return {
    /** Whether there was none, and one has come since. */
    get hasCome() {
      return hasCome
    },
    /** What went before does not count. */
    begin() {
      hasCome = false
      changed = Promise.withResolvers<void>()
    },
    /** Until the document that is there has gone or, where none is, one has come. */
    next(): Promise<void> {
      countsArrival = !isThere
      return changed.promise
    },
    [Symbol.dispose]() {
      for (const stop of stops) stop()
    },
  }
}
