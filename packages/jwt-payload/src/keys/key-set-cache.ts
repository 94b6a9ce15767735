import type { KeySet } from './read-key-set.ts'

/** How long a set is used without being asked for again, in milliseconds: a key that the partner removes is refused after it. */
export const freshMs = 10 * 60_000

/** How long a set is used while a newer one cannot be had, in milliseconds. */
export const staleMs = 60 * 60_000

/** Shortest time between two requests after one that succeeded, in milliseconds. */
export const coolDownMs = 30_000

/** Shortest time between two requests after one that failed, in milliseconds: what a refusal's `Retry-After` asks to wait. */
export const failedCoolDownMs = 5000

/** What {@link KeySetCache.find} answers: keys of a set that is known, or why none is. */
export type FoundKeys<Key> =
  | { readonly keys: readonly Key[]; readonly ignored: KeySet['ignored'] }
  | { readonly failure: unknown }

/** One key set over time. */
export interface KeySetCache {
  /**
   * Finds keys in the set as it is known, and asks for the set again where that may help: it is old, or has no such key. However
   * many ask at once, one request is made; and none within the cool-down of the last one. Once such a request has failed, who has
   * a key in the known set waits for no other one.
   *
   * @param select the keys that are wanted
   */
  find(select: (keys: KeySet['keys']) => KeySet['keys']): Promise<FoundKeys<KeySet['keys'][number]>>
}

/**
 * Makes a cache of one key set.
 *
 * @param load gets the set; what it throws becomes the `failure`
 * @param patienceMs how long a request may be under way before another one is made, in milliseconds: on an edge runtime it may
 * belong to a post that was broken off, and never end
 */
export function createKeySetCache(
  load: () => Promise<KeySet>,
  clock: () => Date,
  patienceMs: number,
): KeySetCache {
  let known: { readonly set: KeySet; readonly at: number; readonly number: number } | undefined
  let requests = 0
  let last: { readonly at: number; readonly failure?: unknown; readonly isFailed: boolean } | undefined
  let pending: { readonly done: Promise<void>; readonly at: number } | undefined

  /** Also false for a time that lies ahead: a clock that was set back must not lengthen anything. */
  const isWithin = (at: number | undefined, ms: number): boolean => {
    const age = clock().getTime() - (at ?? Number.NEGATIVE_INFINITY)
    return age >= 0 && age < ms
  }

  const request = async (): Promise<void> => {
    const number = ++requests
    try {
      const set = await load()
      const at = clock().getTime()
      // One that took longer than a later one holds what the partner published before.
      if (number < (known?.number ?? 0)) return
      known = { set, at, number }
      last = { at, isFailed: false }
    } catch (failure) {
      // One that a later one has overtaken says nothing about now.
      if (number < (known?.number ?? 0)) return
      last = { at: clock().getTime(), failure, isFailed: true }
    }
  }

  const refresh = async (): Promise<void> => {
    if (!isWithin(pending?.at, patienceMs)) {
      if (isWithin(last?.at, last?.isFailed ? failedCoolDownMs : coolDownMs)) return
      const made = { done: request(), at: clock().getTime() }
      pending = made
      made.done.then(() => {
        if (pending === made) pending = undefined
      })
    }
    await pending?.done
  }

  /** Long after a failure nobody knows: a key that was removed meanwhile must not be used when the set can be had. */
  const isOutage = (): boolean => last?.isFailed === true && isWithin(last.at, freshMs)

  return {
    find: async select => {
      if (!isWithin(known?.at, freshMs)) {
        const asked = refresh()
        // In an outage each request may take all its time: only who finds no key waits for it, below.
        if (!(isOutage() && isWithin(known?.at, staleMs))) await asked
      }
      const before = known
      if (before && isWithin(before.at, staleMs)) {
        const keys = select(before.set.keys)
        if (keys.length > 0) return { keys, ignored: before.set.ignored }
        await refresh()
      }
      // One that could not be fetched again may hold the key by now.
      if (!known || last?.isFailed || !isWithin(known.at, staleMs)) return { failure: last?.failure }
      return { keys: select(known.set.keys), ignored: known.set.ignored }
    },
  }
}
