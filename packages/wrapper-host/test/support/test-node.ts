import { chmod, copyFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/** A file of Node. */
export interface TestNode extends AsyncDisposable {
  readonly file: string
}

/** A Node that every user of this machine may run. */
export const sharedNode = (): Promise<TestNode> => nodeThat(isForOthers)

/** A Node that only this user and the administrator may change. */
export const trustedNode = (): Promise<TestNode> => nodeThat(isTrusted)

/** This process's Node, or a copy until the end of the scope if its place is not fit, such as a closed home. */
async function nodeThat(isFit: (file: string) => Promise<boolean>): Promise<TestNode> {
  const own = await realpath(process.execPath)
  if (await isFit(own)) return { file: own, [Symbol.asyncDispose]: async () => undefined }
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
  const above = await Promise.all(foldersAbove(path).map(folder => stat(folder)))
  return above.every(({ mode }) => (mode & 0o001) !== 0)
}

async function isTrusted(file: string): Promise<boolean> {
  const found = await Promise.all([file, ...foldersAbove(file)].map(path => stat(path)))
  return found.every(({ uid, mode }) => (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0)
}

/** All but the root. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder)
  return folders
}
