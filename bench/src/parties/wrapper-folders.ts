import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built executable of the wrapper. */
export const executable = fileURLToPath(
  new URL('../../../packages/wrapper-host/dist/cli/service-webwrapper.js', import.meta.url),
)

/**
 * Makes folders for this run's wrapper and returns them as environment variables. The pipe has its usual place; all other
 * files are in the given folder.
 */
export async function wrapperFolders(folder: string): Promise<NodeJS.ProcessEnv> {
  const root = join(folder, 'root')
  await mkdir(root, { recursive: true })
  return {
    SERVICE_WRAPPER_ROOT: root,
    SERVICE_WRAPPER_DATA: join(folder, 'data'),
    XDG_RUNTIME_DIR: folder,
  }
}
