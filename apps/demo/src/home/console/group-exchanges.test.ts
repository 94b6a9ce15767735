import { expect, test } from 'vitest'
import { type Branch, foldRuns, groupExchanges, matches } from './group-exchanges.ts'
import type { Exchange } from './read-log.ts'

/** As the log has them: an exchange is written when it has ended, after those within it. */
const log = (...lines: readonly [number: number, name: string, within?: number][]) =>
  lines.map(
    ([exchange, name, within], index): Exchange => ({
      event: 'exchange',
      time: `2026-01-01T00:00:0${index}.000Z`,
      pid: 1,
      exchange,
      ...(within === undefined ? {} : { within }),
      kind: name.endsWith('Person') ? 'bridge' : 'frame',
      direction: 'in',
      name,
      bytes: 1,
      outcome: 'ok',
      durationMs: 1,
    }),
  )

const drawn = ({ name, inner }: Branch): string =>
  inner.length === 0 ? String(name) : `${name}(${inner.map(drawn).join(' ')})`

test('one command is one group, whose parts have the order of their beginnings', () => {
  const lines = log(
    [1, 'status'],
    [5, 'told', 4],
    [4, 'toPerson', 3],
    [3, 'selectPerson', 2],
    [6, 'opened', 2],
  )
  expect(groupExchanges([...lines, ...log([2, 'select'])].reverse()).map(drawn)).toContain(
    'select(selectPerson(toPerson(told)) opened)',
  )
  // By their beginnings: the log has the ends, in milliseconds.
  const [long, short] = log([1, 'long'], [2, 'short'])
  if (!long || !short) throw new TypeError('The log has too few lines.')
  const late = { ...long, time: '2026-01-01T00:01:00.000Z', durationMs: 60_000 }
  expect(groupExchanges([late, short]).map(drawn)).toEqual(['short', 'long'])
  const quick = log([1, 'hello'], [2, 'status']).map(line => ({ ...line, time: '2026-01-01T00:00:00.000Z' }))
  const uneven = quick.map((line, index) => ({ ...line, durationMs: index }))
  expect(groupExchanges(uneven).map(drawn)).toEqual(['status', 'hello'])
  // Another process is a later wrapper, which counts from the start.
  const later = log([1, 'open']).map(line => ({ ...line, pid: 2 }))
  expect(groupExchanges([...quick, ...later]).map(drawn)).toEqual(['open', 'status', 'hello'])
  // The outer one has not ended.
  expect(groupExchanges(lines).map(drawn)).toEqual(['opened', 'selectPerson(toPerson(told))', 'status'])
})

test('a search finds a group by each of its parts, and groups in a row that look the same are folded', () => {
  const groups = groupExchanges(
    log([1, 'status'], [2, 'status'], [4, 'selectPerson', 3], [3, 'select'], [5, 'status']),
  )
  const found = (search: string) => groups.filter(group => matches(group, search)).map(drawn)
  expect(found('BRIDGE ok')).toEqual(['select(selectPerson)'])
  expect(found('frame bridge')).toEqual(['select(selectPerson)'])
  expect(found('frame status')).toHaveLength(3)
  expect(found('status bridge')).toEqual([])
  const [shown] = groupExchanges(log([1, 'select']).map(one => ({ ...one, args: 'customId text 4' })))
  expect(shown && matches(shown, 'select customid')).toBe(true)
  expect(foldRuns(groups).map(run => run.map(drawn))).toEqual([
    ['status'],
    ['select(selectPerson)'],
    ['status', 'status'],
  ])
})
