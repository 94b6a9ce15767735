import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * The folder of this user's Windows, kept between test runs: `SERVICE_WINDOWS_FOLDER`, else a folder among the temporary
 * files.
 *
 * @returns absolute path
 */
export function machineFolder(): string {
  return process.env.SERVICE_WINDOWS_FOLDER || join(tmpdir(), `service-link-windows-${userInfo().uid}`)
}

/** The folder of a second Windows, for testing programs while the first runs the suites; absolute. */
export function programsFolder(): string {
  return join(machineFolder(), 'programs')
}
