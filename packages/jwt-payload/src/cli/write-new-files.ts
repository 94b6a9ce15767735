import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { FileError, reasonOf } from './read-files.ts'

/** A file to be made. */
export interface NewFile {
  readonly name: string
  readonly content: string
  /** Mode 0600 on file systems that have modes. */
  readonly isSecret: boolean
}

/**
 * Writes files into a folder, all or none, each at once with its whole content. Never over a file that exists.
 *
 * @param folder is made, with those above it, if it is not there
 * @returns their paths
 * @throws {FileError} when one exists or cannot be written
 */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<readonly string[]> {
  try {
    await makeFolder(folder)
  } catch (error) {
    throw new FileError(`The folder ${folder} cannot be made: ${reasonOf(error)}.`)
  }
  const made: string[] = []
  let isComplete = false
  try {
    for (const file of files) {
      const path = join(folder, file.name)
      await writeNewFile(path, file)
      made.push(path)
    }
    isComplete = true
    return made
  } finally {
    if (!isComplete) await Promise.all(made.map(path => rm(path, { force: true })))
  }
}

async function writeNewFile(path: string, { content, isSecret }: NewFile): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.new`
  try {
    await using file = await open(draft, 'wx', isSecret ? 0o600 : 0o644)
    await file.writeFile(content)
    await file.sync()
    await takeName(draft, path)
  } catch (error) {
    const reason = reasonOf(error)
    throw new FileError(`The file ${path} cannot be written: ${reason}. Nothing was written.`)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Unlike a rename, a link fails where the name is taken. Not every file system has links. */
async function takeName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    await copyFile(draft, path, constants.COPYFILE_EXCL)
  }
}

/**
 * Makes a folder, with those above it, unless it is there. Node's own recursive way never ends where the file system denies
 * that the folder above exists, as Linux does below /proc.
 *
 * @throws the file system's error
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && dirname(resolve(path)) !== resolve(path)) {
      await makeFolder(dirname(resolve(path)))
      await mkdir(path)
    } else if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}
