import { canMount } from '@service-link/test-kit/private-mount'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'
import { runWithPolicies } from '../support/managed-policies.ts'

const engineModule = new URL('../../src/chromium/create-chromium-engine.ts', import.meta.url).href

/** Opens a window with a long time-out, so that only the browser can end it sooner. */
const program = `
  import { createChromiumEngine } from ${JSON.stringify(engineModule)}
  const engine = createChromiumEngine({ isHeadless: true, startTimeoutMs: 600_000 })
  const { isAvailable } = await engine.probe()
  const facts = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: ['http://127.0.0.1'] }
  const profileFolder = process.argv[1]
  const opening = engine.open({ url: 'http://127.0.0.1:9/', profileFolder, ...facts })
  const fault = await opening.then(window => window.close(), ({ fault, message }) => ({ fault, message }))
  console.log(JSON.stringify({ isAvailable, fault }))
`

/** The results of probe and start with a browser with a managed policy. */
async function openWith(policies: unknown) {
  const { output, errors } = await runWithPolicies(policies, program)
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

describe.skipIf(!canMount || !hasBrowser)('a browser with a managed policy', () => {
  test('that forbids nothing is driven', async () => {
    expect(await openWith({ BookmarkBarEnabled: false })).toEqual({ isAvailable: true })
  })

  test('that forbids to drive it is recognized by its behavior, without a wait for a window', async () => {
    const { isAvailable, fault } = await openWith({ RemoteDebuggingAllowed: false })
    expect(isAvailable).toBe(true)
    expect(fault).toEqual({ fault: 'not-available', message: expect.stringContaining('chrome://policy') })
  })
})
