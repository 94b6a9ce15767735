import { checkSite } from '../check-site.ts'
import { type DoctorCheck, skipped } from '../doctor-check.ts'

/** The site that says which version is the newest. */
export const updateSiteCheck: DoctorCheck = {
  name: 'update-site',
  async run({ settings, environment }, signal) {
    const { UpdateUrl, CheckForUpdates } = (await settings()).values
    if (!CheckForUpdates) return skipped('The setting CheckForUpdates is off.')
    const url = URL.parse(UpdateUrl)
    if (!url) return skipped('The setting UpdateUrl names no site.')
    return checkSite(url, 'UpdateUrl', { environment, signal })
  },
}
