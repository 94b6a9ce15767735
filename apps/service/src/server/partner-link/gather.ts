import { setImmediate as turn } from 'node:timers/promises'

/**
 * Joins calls to one call of `work`: those of one turn of the event loop, and those that come while `work` runs. The results
 * of `work` have the order of the items; its failure is that of all its items.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  maxItems: number,
): (item: Item) => Promise<Result | undefined> {
  let last: Promise<unknown> = Promise.resolve()
  let gathering: Item[] | undefined
  let results: ReturnType<typeof work>
  return async item => {
    if (!gathering || gathering.length === maxItems) {
      const items: Item[] = []
      const begin = async () => {
        await turn()
        if (gathering === items) gathering = undefined
        return work(items)
      }
      gathering = items
      results = last.then(begin, begin)
      last = results
    }
    const index = gathering.push(item) - 1
    return (await results)[index]
  }
}
