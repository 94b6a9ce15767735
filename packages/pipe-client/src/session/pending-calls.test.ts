import { Deadline } from '@service-link/protocol-core/time'
import { describe, expect, test } from 'vitest'
import { type Call, PendingCalls } from './pending-calls.ts'

const mebibyte = 1024 * 1024

function call(id: number, isCommand = true, byteCount = id): Call {
  return {
    id,
    name: isCommand ? 'hide' : 'status',
    isCommand,
    frame: { text: '', length: byteCount },
    deadline: new Deadline(1),
    resolve: () => undefined,
    reject: () => undefined,
    abort: undefined,
    isGivenUp: false,
  }
}

/** Known calls, including those of a number already taken. */
function pending(maxInFlight: number, calls: readonly Call[]) {
  const table = new PendingCalls()
  table.limit(maxInFlight)
  for (const added of calls) table.add(added)
  return { table, due: (roomBytes = 1_000) => table.removeDue(roomBytes).map(({ length }) => length) }
}

describe('the next call', () => {
  test('depends on order, number of commands, and room', () => {
    const { table, due } = pending(2, [call(1), call(2), call(3), call(4, false), call(5)])
    expect(due(1)).toEqual([1])
    expect(due()).toEqual([2, 4])
    expect(due()).toEqual([])
    table.removeAnswered(4)
    expect(due()).toEqual([])
    table.removeAnswered(1)
    expect(due()).toEqual([3])
    expect(due(0)).toEqual([])
  })

  test('waits while the wrapper holds 4 MiB, in order; independent calls pass', () => {
    const calls = [mebibyte, 3 * mebibyte, 1, 2].map((byteCount, at) => call(at + 1, true, byteCount))
    const { table, due } = pending(64, [...calls, call(5, false, 3)])
    expect(due(mebibyte)).toEqual([mebibyte])
    expect(due(Number.POSITIVE_INFINITY)).toEqual([3 * mebibyte, 3])
    table.removeAnswered(1)
    expect(due(1)).toEqual([1])
    expect(due()).toEqual([2])
    const large = [3 * mebibyte, 1].map((byteCount, at) => call(at + 6, true, byteCount))
    for (const added of large) table.add(added)
    expect(due()).toEqual([])
    table.removeAnswered(2)
    expect(due()).toEqual([3 * mebibyte])
    expect(due()).toEqual([1])
  })

  test('may have any length when the wrapper holds nothing', () => {
    const { due } = pending(64, [call(1, true, 5 * mebibyte), call(2)])
    expect(due()).toEqual([5 * mebibyte])
    expect(due()).toEqual([])
  })

  test('keeps its turn when an independent call gives up', () => {
    const aside = call(2, false)
    const { table, due } = pending(1, [call(1), aside, call(3), call(4, false)])
    expect(table.giveUp(aside)).toBe(false)
    expect(due()).toEqual([1, 4])
    expect(table.hasQueued()).toBe(true)
  })
})

test('a call that the wrapper answers at once is not kept when it is given up', () => {
  const status = call(1, false)
  const { table, due } = pending(1, [status])
  due()
  expect(table.giveUp(status)).toBe(true)
  expect(table.removeAnswered(1)).toBeUndefined()
  expect(table.isStray(1)).toBe(false)
  expect(table.isStray(2)).toBe(true)
})
