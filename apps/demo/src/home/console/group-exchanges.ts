import type { Exchange } from './read-log.ts'

/** An exchange and those within it, each in the order of their beginnings. */
export interface Branch extends Exchange {
  readonly key: string
  readonly inner: readonly Branch[]
}

/** When it began, in milliseconds since 1970. The log has the end. */
export const beginOf = ({ time, durationMs }: Pick<Exchange, 'time' | 'durationMs'>) =>
  Date.parse(time) - durationMs

const keyOf = ({ pid, exchange }: Pick<Exchange, 'pid' | 'exchange'>) => `${pid} ${exchange}`

/**
 * Groups exchanges by what caused them, the newest group first. One whose cause has not ended stands alone until then.
 *
 * A wrapper numbers exchanges by their beginnings; the times of the log are too coarse for that. A later wrapper writes later.
 */
export function groupExchanges(exchanges: readonly Exchange[]): readonly Branch[] {
  const byWrapper = Map.groupBy(exchanges, ({ pid }) => pid)
  const inOrder = [...byWrapper.values()].flatMap(own => own.sort((a, b) => a.exchange - b.exchange))
  const known = new Set(inOrder.map(keyOf))
  const outerKeyOf = ({ pid, within }: Exchange) => {
    const key = within === undefined ? '' : keyOf({ pid, exchange: within })
    return known.has(key) ? key : ''
  }
  const byOuter = Map.groupBy(inOrder, outerKeyOf)
  const branchOf = (exchange: Exchange): Branch => {
    const key = keyOf(exchange)
    return { ...exchange, key, inner: (byOuter.get(key) ?? []).map(branchOf) }
  }
  return (byOuter.get('') ?? []).map(branchOf).reverse()
}

/** Words by which an exchange is found. */
const wordsOf = ({ kind, connection, name, outcome }: Exchange) =>
  `${kind} ${connection ?? ''} ${name ?? ''} ${outcome}`.toLowerCase()

/** Whether a group has all words of a search on the way from its command to one of its exchanges. */
export function matches(branch: Branch, search: string, outer = ''): boolean {
  const way = `${outer} ${wordsOf(branch)} ${branch.args?.toLowerCase() ?? ''}`
  const words = search.toLowerCase().split(/\s+/)
  return words.every(word => way.includes(word)) || branch.inner.some(one => matches(one, search, way))
}

const looksOf = (branch: Branch): string => `${wordsOf(branch)}(${branch.inner.map(looksOf).join()})`

/** Joins groups in a row that look the same, such as those of a program that asks again and again. */
export function foldRuns(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const runs: [Branch, ...Branch[]][] = []
  for (const branch of branches) {
    const last = runs.at(-1)
    if (last && looksOf(last[0]) === looksOf(branch)) last.push(branch)
    else runs.push([branch])
  }
  return runs
}
