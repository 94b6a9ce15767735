import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The wrapper's executable as it is built. */
export const executable = fileURLToPath(
  new URL('../../../packages/wrapper-host/dist/cli/service-webwrapper.js', import.meta.url),
)

/**
 * Makes folders for a wrapper of this run alone and tells them as environment variables. The pipe lies where clients look
 * for it; all else is in the given folder.
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
