import { useEffect } from 'react'
import { endMySession } from './my-queries.ts'

/**
 * Ends the session on this page when its time is over, whether the service can be reached or not: workouts do not stay on a
 * screen that nobody sits at.
 *
 * @param endsAtMs in milliseconds since 1970, by this machine's clock; `undefined`: there is no session
 */
export function useSessionEnd(endsAtMs: number | undefined): void {
  useEffect(() => {
    if (endsAtMs === undefined) return
    const endIfOver = () => {
      if (Date.now() >= endsAtMs) endMySession()
    }
    const timer = setTimeout(endMySession, Math.max(0, endsAtMs - Date.now()))
    // Timers stand still while a machine sleeps.
    const occasions = ['focus', 'visibilitychange', 'pageshow']
    for (const occasion of occasions) window.addEventListener(occasion, endIfOver, { capture: true })
    return () => {
      clearTimeout(timer)
      for (const occasion of occasions) window.removeEventListener(occasion, endIfOver, { capture: true })
    }
  }, [endsAtMs])
}
