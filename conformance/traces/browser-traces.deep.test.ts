import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canListProcesses } from '../../internal/test-kit/src/processes.ts'
import { hasBrowser } from '../../internal/test-kit/src/test-window.ts'
import { openBrowserDesk } from './browser-desk.ts'

const steps = ['click', 'click', 'launch', 'clear', 'signOut', 'choose', 'reload', 'slow', 'fast'] as const
const ends = ['none', 'none', 'none', 'killBrowser', 'killWrapper'] as const
const traceCount = 200
/** A machine that plays less than one in a second plays fewer. */
const limitMs = Number(process.env.SERVICE_TRACES_MS ?? 240_000)

describe.skipIf(!hasBrowser || !canListProcesses)('real processes', () => {
  test(`keep the right person in ${traceCount} traces with a real browser and real kills`, {
    timeout: 600_000,
  }, async () => {
    await using desk = await openBrowserDesk()
    const trace = fc.tuple(
      fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 6 }),
      fc.constantFrom(...ends),
    )
    let played = 0
    const property = fc.asyncProperty(trace, async ([does, end]) => {
      await desk.begin()
      for (const step of does) {
        if (step === 'slow' || step === 'fast') desk.server.setSlow(step === 'slow')
        else await desk[step]()
      }
      if (end !== 'none') await desk[end]()
      await desk.settle()
      played++
    })
    // The desk goes on from trace to trace: a shorter one would begin elsewhere.
    await fc.assert(property, { numRuns: traceCount, endOnFailure: true, interruptAfterTimeLimit: limitMs })
    console.log(`${played} traces were played.`)
    expect(played).toBeGreaterThanOrEqual(20)
  })
})
