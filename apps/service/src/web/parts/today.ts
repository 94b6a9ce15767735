import { useSyncExternalStore } from 'react'
import { localDay } from './format.ts'

/** The day here; draws again when another begins. */
export const useToday = () => useSyncExternalStore(onDay, () => localDay())

function onDay(look: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const lookAtMidnight = () => {
    look()
    timer = setTimeout(lookAtMidnight, new Date().setHours(24, 0, 0, 0) - Date.now())
  }
  lookAtMidnight()
  // Timers stop while a machine sleeps.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
