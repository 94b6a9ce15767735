interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Joins calls to one call of `work`: those of one turn of the event loop, and those that come while `maxRunning` calls of
 * `work` run. The results of `work` have the order of the items; its failure is that of all its items.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  { maxRunning, maxItems }: { readonly maxRunning: number; readonly maxItems: number },
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = []
  let running = 0
  let isPlanned = false
  const plan = () => {
    if (isPlanned || running >= maxRunning || waiting.length === 0) return
    isPlanned = true
    setImmediate(start)
  }
  const start = () => {
    isPlanned = false
    running++
    void run(waiting.splice(0, maxItems))
    plan()
  }
  const run = async (calls: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(calls.map(({ item }) => item))
      for (const [index, { resolve }] of calls.entries()) resolve(results[index])
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
    running--
    plan()
  }
  return item => {
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>()
    waiting.push({ item, resolve, reject })
    plan()
    return promise
  }
}
