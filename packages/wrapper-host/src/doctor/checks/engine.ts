import { selectEngine, windowPlatform } from '@service-link/window-engine'
import { type DoctorCheck, ok, problem } from '../doctor-check.ts'

/** What would draw the window. Without a display, which is a check of its own, the browser is looked for all the same. */
export const engineCheck: DoctorCheck = {
  name: 'engine',
  async run({ settings, environment }, signal) {
    const { BrowserEngine } = (await settings()).values
    const { name } = selectEngine(BrowserEngine)
    const hasDisplay = windowPlatform().displayProblem(environment) === undefined
    const probe = await selectEngine(hasDisplay ? name : 'Headless').probe(signal)
    if (probe.isAvailable) return ok(`${name}: ${probe.description ?? 'available'}.`)
    return problem(
      `${name} is not available.`,
      probe.reason ?? 'Install Google Chrome, Microsoft Edge or Chromium.',
    )
  },
}
