import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

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
