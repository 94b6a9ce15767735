/** A signal that follows two others, see {@link eitherSignal}. */
export interface FollowingSignal extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Follows two signals until it is disposed. `AbortSignal.any` would leave something behind with a signal that outlives
 * many calls, in some versions of Node for good.
 */
export function eitherSignal(one: AbortSignal, other: AbortSignal): FollowingSignal {
  const controller = new AbortController()
  const follow = ({ target }: { readonly target: unknown }) =>
    controller.abort((target as AbortSignal).reason)
  for (const signal of [one, other]) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', follow, { once: true })
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of [one, other]) signal.removeEventListener('abort', follow)
    },
  }
}
