import { describe, expect, test } from 'vitest'
import type { Call } from './call.ts'
import { PendingCalls } from './pending-calls.ts'

function call(id: number, isCommand = true): Call {
  return {
    id,
    name: isCommand ? 'hide' : 'status',
    isCommand,
    frame: new Uint8Array(id),
    timeoutMs: 1,
    deadlineMs: 1,
    signal: undefined,
    resolve: () => undefined,
    reject: () => undefined,
    abort: undefined,
    isGivenUp: false,
  }
}

/** Calls that are known, with those of a number already taken. */
function pending(maxInFlight: number, calls: readonly Call[]) {
  const table = new PendingCalls(maxInFlight)
  for (const added of calls) table.add(added)
  return { table, take: (roomBytes = 1_000) => table.takeDue(roomBytes).map(({ length }) => length) }
}

describe('whose turn it is', () => {
  test('is decided by the order, the number of commands, and the room', () => {
    const { table, take } = pending(2, [call(1), call(2), call(3), call(4, false), call(5)])
    expect(take(1)).toEqual([1])
    expect(take()).toEqual([2, 4])
    expect(take()).toEqual([])
    table.takeAnswered(4)
    expect(take()).toEqual([])
    table.takeAnswered(1)
    expect(take()).toEqual([3])
    expect(take(0)).toEqual([])
  })

  test('is not forgotten when what waits for no other is given up while it waits', () => {
    const aside = call(2, false)
    const { table, take } = pending(1, [call(1), aside, call(3), call(4, false)])
    expect(table.giveUp(aside, 5)).toBe(false)
    expect(take()).toEqual([1, 4])
    expect(table.hasQueued()).toBe(true)
  })
})

describe('a wrapper is stuck', () => {
  test('since all commands that it has were given up and there is room for no other, until it answers one', () => {
    const [first, second] = [call(1), call(2)]
    const { table, take } = pending(2, [first, second, call(3)])
    take()
    table.giveUp(first, 100)
    expect(table.stuckSinceMs).toBe(Number.POSITIVE_INFINITY)
    table.giveUp(second, 200)
    expect(table.stuckSinceMs).toBe(200)
    expect(table.takeAnswered(1)).toBe(first)
    expect(table.stuckSinceMs).toBe(Number.POSITIVE_INFINITY)
    expect(take()).toEqual([3])
  })

  test('not by what it answers at once, of which nothing is kept', () => {
    const status = call(1, false)
    const { table, take } = pending(1, [status])
    take()
    expect(table.giveUp(status, 100)).toBe(true)
    expect(table.stuckSinceMs).toBe(Number.POSITIVE_INFINITY)
    expect(table.takeAnswered(1)).toBeUndefined()
    expect(table.isStray(1)).toBe(false)
    expect(table.isStray(2)).toBe(true)
  })
})
