import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { hostWorldScript } from './host-world.ts'

/** A document as the script sees it; counts its listeners for `beforeunload` after each change. */
function documentOfTest() {
  const asking = new Set<unknown>()
  const counts: number[] = []
  const timers: (() => void)[] = []
  const count = (name: string) => {
    if (name === 'beforeunload') counts.push(asking.size)
  }
  const world = {
    addEventListener(name: string, listener: unknown) {
      if (name === 'beforeunload') asking.add(listener)
      count(name)
    },
    removeEventListener(name: string, listener: unknown) {
      if (name === 'beforeunload') asking.delete(listener)
      count(name)
    },
    setInterval: (callback: () => void) => timers.push(callback),
  }
  Object.assign(world, { window: world, top: world })
  return { world, counts, timers }
}

describe('hostWorldScript', () => {
  test('a document always has a listener that makes the browser ask, even while one ends', () => {
    const { world, counts, timers } = documentOfTest()
    runInContext(hostWorldScript('host'), createContext(world))
    for (const goToEnd of timers) goToEnd()
    expect(timers).not.toEqual([])
    expect(Math.min(...counts)).toBe(1)
  })
})
