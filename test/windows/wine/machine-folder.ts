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
