/**
 * Maps items, a bounded number of them at a time.
 *
 * @param count most at a time, 1 or more
 * @returns in the order of the items
 * @throws whatever the first mapping that fails throws; those that have begun go on
 */
export async function mapAtMost<Item, Result>(
  count: number,
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const work = async () => {
    for (const [index, item] of entries) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, work))
  return results
}
