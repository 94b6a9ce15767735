import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { wineEnvironment } from './wine-environment.ts'

/**
 * Ends every process that Wine runs in a folder, including those of killed runs.
 *
 * @param prefix absolute path of Wine's folder
 */
export async function endProcesses(prefix: string): Promise<void> {
  const options = { env: wineEnvironment(prefix), timeout: 60_000 }
  // It fails when no process runs.
  await promisify(execFile)('wineserver', ['-k'], options).catch(() => undefined)
}
