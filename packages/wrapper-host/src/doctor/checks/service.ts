import { checkAppUrl } from '../../settings/resolve-settings.ts'
import { checkSite } from '../check-site.ts'
import type { DoctorCheck } from '../doctor-check.ts'

/** The web app's server. */
export const serviceCheck: DoctorCheck = {
  name: 'service',
  async run({ settings, environment }, signal) {
    const { values } = await settings()
    return checkSite(checkAppUrl(values.AppUrl), 'AppUrl', { environment, signal })
  },
}
