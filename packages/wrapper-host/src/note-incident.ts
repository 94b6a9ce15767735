import { join } from 'node:path'
import { incidentOf } from './incident.ts'
import { checkUserFolder } from './instance/user-folder.ts'
import { openLog } from './log/open-log.ts'
import { type FindSettingsOptions, findSettings } from './settings/find-settings.ts'
import { resolveSettings } from './settings/resolve-settings.ts'

/**
 * Writes an incident (see `incidentOf`) to the log of a process that has not opened it, because it did not come as far as to be the
 * wrapper. Any other error is left alone. Never rejects: whoever has the error tells it all the same.
 */
export async function noteIncident(error: unknown, options: FindSettingsOptions): Promise<void> {
  const incident = incidentOf(error)
  if (!incident) return
  const { userFolder } = options.folders
  try {
    checkUserFolder(userFolder)
    const { values } = resolveSettings(options.brand, await findSettings(options))
    await using log = await openLog({ folder: join(userFolder, 'logs'), level: values.LogLevel })
    log.report(incident)
  } catch {
    // The folder is not this user's: then nothing is written there.
  }
}
