import { describe, expect, test } from 'vitest'
import { type PageFault, RestartPace } from './watch-page.ts'

/** A pace with a test clock, and its answers to faults at given seconds: `now`, or the pause before the next attempt. */
function paced() {
  let seconds = 0
  const pace = new RestartPace({ now: () => seconds * 1000, random: () => 1 })
  return (fault: PageFault, ...at: readonly number[]) =>
    at.map(time => {
      seconds = time
      if (pace.isAtOnceAfter(fault)) return 'now'
      const pauseMs = pace.nextPause()
      seconds += pauseMs / 1000
      pace.noteRestart()
      return pauseMs / 1000
    })
}

describe('a page is restarted', () => {
  test('at once after two crashes within a minute, and after a pause at the third', () => {
    expect(paced()('crash', 0, 10, 20)).toEqual(['now', 'now', 30])
  })

  test('at once each time when crashes are further apart', () => {
    expect(paced()('crash', 0, 30, 61, 92, 123)).toEqual(['now', 'now', 'now', 'now', 'now'])
  })

  test('after a pause when it hangs at every load, in rounds of 40 seconds', () => {
    expect(paced()('hang', 40, 81, 122, 193)).toEqual(['now', 'now', 30, 60])
  })

  test('after pauses up to ten minutes during repeated crashes', () => {
    const pauses = paced()('crash', 0, 1, 2, 40, 110, 240, 490, 980, 1590)
    expect(pauses).toEqual(['now', 'now', 30, 60, 120, 240, 480, 600, 600])
  })

  test('at once again after ten minutes without a fault', () => {
    expect(paced()('crash', 0, 1, 2, 632, 633, 634)).toEqual(['now', 'now', 30, 'now', 'now', 30])
  })
})
