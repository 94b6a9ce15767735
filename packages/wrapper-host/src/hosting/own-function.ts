import { kindOf } from '../kind-of.ts'
import type { ReportEvent } from '../log/wrapper-event.ts'

/** Where a function comes from that is not the wrapper's own. */
export type OwnFunctionOrigin = 'onNotice' | 'openExternal' | 'texts' | 'tray'

/**
 * Makes a function of an integrator one that the wrapper may call anywhere: what it throws, or rejects with, is reported by its
 * kind alone, and goes no further.
 *
 * @param own called as it was given
 * @param instead what to return when it throws
 */
export function guardOwn<Args extends readonly unknown[], Result>(
  of: OwnFunctionOrigin,
  own: (...args: Args) => Result,
  report: ReportEvent,
  instead: (...args: Args) => Result,
): (...args: Args) => Result {
  const fail = (error: unknown) => report({ type: 'own-function-failed', of, kind: kindOf(error) })
  return (...args) => {
    try {
      const result = own(...args)
      if (result instanceof Promise) result.catch(fail)
      return result
    } catch (error) {
      fail(error)
      return instead(...args)
    }
  }
}
