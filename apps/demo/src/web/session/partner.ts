import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { tabKeep } from '../storage.ts'

/** A partner as the page shows it. What is not there, or not as it should be, is done without. */
export const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  appearance: z
    .object({
      displayName: z.string().optional().catch(undefined),
      /** Only what brings its own bytes: an address would tell its server who is at work, and when. */
      logoUrl: z
        .string()
        .regex(/^data:image\/(?:png|svg\+xml|jpeg|webp)[;,]/)
        .optional()
        .catch(undefined),
      color: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .optional()
        .catch(undefined),
      landingView: z.string().optional().catch(undefined),
    })
    .default({}),
})

/** See {@link partnerSchema}. */
export type Partner = z.output<typeof partnerSchema>

const storageKey = 'service-partner'
const listeners = new Set<() => void>()
let partner: Partner | undefined = read()

function read(): Partner | undefined {
  try {
    return partnerSchema.safeParse(JSON.parse(tabKeep.read(storageKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** What people read. */
export function nameOf({ name, appearance }: Partner): string {
  return appearance.displayName ?? name
}

/** Remembers from which partner this tab was opened; `undefined` forgets it. */
export function keepPartner(next: Partner | undefined): void {
  partner = next
  tabKeep.write(storageKey, next && JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** The partner from which this tab was opened. */
export function usePartner(): Partner | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => partner,
  )
}
