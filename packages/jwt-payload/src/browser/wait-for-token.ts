import { isCompactJwt } from '../http/post-input.ts'
import { SubmitTimeoutError, SubmitTokenError } from './submit-errors.ts'

/** Options of {@link waitForToken}. */
export interface WaitForTokenOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Waits for a token.
 *
 * @throws {SubmitTokenError} when its promise rejects, or gives no compact JWT
 * @throws {SubmitTimeoutError} when it is not there in time
 * @throws the signal's reason, when it aborts
 */
export function waitForToken(
  token: PromiseLike<string>,
  { timeoutMs, signal }: WaitForTokenOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      act()
    }
    const timer = setTimeout(() => settle(() => reject(new SubmitTimeoutError(timeoutMs))), timeoutMs)
    const abort = () => settle(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort)
    token.then(
      text => settle(() => (isCompactJwt(text) ? resolve(text) : reject(new SubmitTokenError('no token')))),
      // The reason is the application's, which has its promise; it may hold anything.
      () => settle(() => reject(new SubmitTokenError('rejected'))),
    )
  })
}
