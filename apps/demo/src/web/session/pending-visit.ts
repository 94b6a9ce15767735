import { useSyncExternalStore } from 'react'
import { tabKeep } from '../storage.ts'
import { type PendingVisit, pendingVisitSchema } from './boot.ts'

const storageKey = 'service-pending-visit'
const listeners = new Set<() => void>()
let visit: PendingVisit | undefined = read()

function read(): PendingVisit | undefined {
  try {
    return pendingVisitSchema.safeParse(JSON.parse(tabKeep.read(storageKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Keeps the visit that waits in this tab, so that it survives a reload; `undefined` forgets it. */
export function keepPendingVisit(next: PendingVisit | undefined): void {
  visit = next
  tabKeep.write(storageKey, next && JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** The visit that waits in this tab for a log-in, until its time is over. */
export function usePendingVisit(): PendingVisit | undefined {
  const present = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => visit,
  )
  return present && present.expiresAtMs > Date.now() ? present : undefined
}
