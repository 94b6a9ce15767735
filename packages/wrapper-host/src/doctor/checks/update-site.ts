import { updateFile } from '../../update/check-for-update.ts'
import { checkSite } from '../check-site.ts'
import { type DoctorCheck, skipped } from '../doctor-check.ts'

/** The site that says which version is the newest. */
export const updateSiteCheck: DoctorCheck = {
  name: 'update-site',
  async run({ settings, environment }, signal) {
    const { UpdateUrl, CheckForUpdates } = (await settings()).values
    if (!CheckForUpdates) return skipped('The setting CheckForUpdates is off.')
    const site = URL.parse(UpdateUrl)
    if (!site) return skipped('The setting UpdateUrl names no site.')
    // What the update check asks for: a site of installers need not have a page.
    return checkSite(updateFile(site, 'version.txt'), 'UpdateUrl', { environment, signal })
  },
}
