import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Where the Windows of this user lies, and is kept between test runs: `SERVICE_WINDOWS_FOLDER`, else a folder among the
 * temporary files.
 *
 * @returns absolute path
 */
export function machineFolder(): string {
  return process.env.SERVICE_WINDOWS_FOLDER || join(tmpdir(), `service-link-windows-${userInfo().uid}`)
}

/** Where a second Windows lies, on which programs are tested while the first runs the suites; absolute. */
export function programsFolder(): string {
  return join(machineFolder(), 'programs')
}
