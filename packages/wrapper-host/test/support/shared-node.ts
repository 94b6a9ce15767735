import { chmod, copyFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/** A Node that every user of this machine may run. */
export interface SharedNode extends AsyncDisposable {
  readonly file: string
}

/** This process's Node, or a copy until the end of the scope if it lies in a closed home. */
export async function sharedNode(): Promise<SharedNode> {
  const own = await realpath(process.execPath)
  if (await isForOthers(own)) return { file: own, [Symbol.asyncDispose]: async () => undefined }
  const folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const file = join(folder.path, basename(own))
  await copyFile(own, file)
  await chmod(file, 0o755)
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

/** Whether users other than the owner may read and run a file. */
export async function isForOthers(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o005) !== 0o005) return false
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) return false
  return true
}
