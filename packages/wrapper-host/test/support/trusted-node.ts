import { chmod, copyFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/** A Node that only this user and the administrator may change. */
export interface TrustedNode extends AsyncDisposable {
  readonly file: string
}

/** This process's Node, or a copy until the end of the scope if others may change it, as in some tool folders. */
export async function trustedNode(): Promise<TrustedNode> {
  const own = await realpath(process.execPath)
  if (await isTrusted(own)) return { file: own, [Symbol.asyncDispose]: async () => undefined }
  const folder = await temporaryFolder()
  const file = join(folder.path, basename(own))
  await copyFile(own, file)
  await chmod(file, 0o755)
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

async function isTrusted(file: string): Promise<boolean> {
  const paths = [file]
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) paths.push(folder)
  const found = await Promise.all(paths.map(path => stat(path)))
  return found.every(({ uid, mode }) => (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0)
}
