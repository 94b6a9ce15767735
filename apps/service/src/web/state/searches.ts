import * as z from 'zod/mini'

/** Search texts of this page by the number that the history keeps in their place. */
const texts = new Map<number, string>()

const stateSchema = z.object({
  search: z.optional(z.int()),
  offset: z._default(z.int().check(z.nonnegative()), 0),
})

/** State of a history entry: it names a search and a page of its results. */
export type SearchState = z.input<typeof stateSchema>

/** Differs from the numbers before a reload, whose texts are gone. */
let lastNumber = Date.now()

/**
 * Keeps a search in the memory of the page. A text may be a name, and browsers write addresses and states to disk.
 *
 * @param offset how many results are on the pages before
 * @returns the state for the search's entry in the history
 */
export function keepSearch(text: string, offset = 0): SearchState {
  if (text === '') return { offset }
  const known = [...texts].find(([, kept]) => kept === text)?.[0]
  const search = known ?? ++lastNumber
  texts.set(search, text)
  return { search, offset }
}

/** The search of a history entry. One from before a reload, or forgotten, counts as none. */
export function searchOf(state: unknown): { readonly text: string; readonly offset: number } {
  const { search, offset = 0 } = stateSchema.safeParse(state).data ?? {}
  if (search === undefined) return { text: '', offset }
  const text = texts.get(search)
  return text === undefined ? { text: '', offset: 0 } : { text, offset }
}

/** Forgets all searches of the page, because another employee may use it now. */
export const forgetSearches = () => texts.clear()
