import { windowPlatform } from '@service-link/window-engine'
import { type DoctorCheck, ok, problem, skipped } from '../doctor-check.ts'
import { isHeadless } from '../is-headless.ts'

/** Somewhere to show the window. */
export const displayCheck: DoctorCheck = {
  name: 'display',
  async run({ settings, environment }) {
    if (isHeadless((await settings()).values)) return skipped('The engine shows no window.')
    const reason = windowPlatform().displayProblem(environment)
    if (reason === undefined) return ok('There is a display.')
    return problem('No window can be shown here.', reason)
  },
}
