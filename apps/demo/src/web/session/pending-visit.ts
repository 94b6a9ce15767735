import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { tabKeep } from '../storage.ts'
import { pendingVisitSchema } from './boot.ts'

/** A visit that was left without a log-in: its tab opens for who was signed in before only when they say so. */
const leftVisitSchema = z.object({ kind: z.literal('left') })
/** A visit that waits; with the account that has logged in for it, and has not confirmed the link yet. */
const waitingVisitSchema = pendingVisitSchema.extend({ accountId: z.string().optional() })
const keptSchema = z.discriminatedUnion('kind', [waitingVisitSchema, leftVisitSchema])
type Kept = z.output<typeof keptSchema>

/** See {@link waitingVisitSchema}. */
export type WaitingVisit = z.output<typeof waitingVisitSchema>

/** How this tab stands to a visit of somebody whom the service did not know. */
export type TabVisit =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly visit: WaitingVisit }
  /** Nobody logged in for it, and nobody has said since for whom this tab is. */
  | { readonly kind: 'left'; readonly because: 'dropped' | 'expired' }

const storageKey = 'service-pending-visit'
const listeners = new Set<() => void>()
let kept: Kept | undefined = read()

function read(): Kept | undefined {
  try {
    return keptSchema.safeParse(JSON.parse(tabKeep.read(storageKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

function keep(next: Kept | undefined): void {
  kept = next
  tabKeep.write(storageKey, next && JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Keeps the visit that waits in this tab, so that it survives a reload; `undefined` forgets it. */
export function keepPendingVisit(next: WaitingVisit | undefined): void {
  keep(next)
}

/** Leaves the visit without a log-in for it; also that survives a reload. */
export function leavePendingVisit(): void {
  keep({ kind: 'left' })
}

/** How this tab stands, at this moment, to a visit that waits, or waited, for a log-in. */
export function presentTabVisit(): TabVisit {
  return asTabVisit(kept)
}

/** {@link presentTabVisit} for a component, which is drawn again when it changes. */
export function useTabVisit(): TabVisit {
  const present = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => kept,
  )
  return asTabVisit(present)
}

function asTabVisit(present: Kept | undefined): TabVisit {
  if (present === undefined) return { kind: 'none' }
  if (present.kind === 'left') return { kind: 'left', because: 'dropped' }
  return present.expiresAtMs > Date.now()
    ? { kind: 'waiting', visit: present }
    : { kind: 'left', because: 'expired' }
}
