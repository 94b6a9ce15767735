import { setImmediate as turn } from 'node:timers/promises'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Joins calls to one call of `work`: those of one turn of the event loop, and those that come while `work` runs. The results
 * of `work` have the order of the items; its failure is that of all its items.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  maxItems: number,
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      await turn()
      const calls = waiting.splice(0, maxItems)
      try {
        const results = await work(calls.map(({ item }) => item))
        for (const [index, { resolve }] of calls.entries()) resolve(results[index])
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
    }
    isRunning = false
  }
  return item => {
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>()
    waiting.push({ item, resolve, reject })
    if (!isRunning) void run()
    return promise
  }
}
