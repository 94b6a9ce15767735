import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileError, fileProblem, readBytes, readText, type Terminal } from '@service-link/terminal'
import { atPath, KeyImportError } from '../errors/key-errors.ts'
import { nameInput } from '../keys/foreign-keys.ts'
import { type KeyFile, readKeyForm } from '../registration/registered-keys.ts'
import { maxTokenBytes } from '../verify/read-token.ts'

/** Reads a file, or standard input where there is no path, until Ctrl+C. */
export function readInput(
  path: string | undefined,
  content: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  return readText(sourceOf(path, content, maxBytes, terminal), terminal)
}

function sourceOf(path: string | undefined, content: string, maxBytes: number, terminal: Terminal) {
  const file = `The file ${path} with ${content}`
  return { path: path ?? '-', file, content, maxBytes, signal: terminal.interruption() }
}

/** Whether a text is what files hold, as `"$(cat key.pem)"` writes it, and not a path: PEM, JSON, a token or a secret. */
export function isFileContent(text: string): boolean {
  if (/^\s*[{[<"]|[\r\n]|-----|^$|=$|\bey[\w-]{8,}\./.test(text)) return true
  return text
    .split(/[\\/]/)
    .some(part => /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+-]{32,}$|^[\da-fA-F]{32,}$/.test(part))
}

/** Far more than a chain of certificates or a key set has. */
const maxKeyFileBytes = 1024 * 1024

/** Reads a key file. Its first characters decide its form. */
export async function readKeyFile(path: string, terminal: Terminal): Promise<KeyFile<Uint8Array>> {
  const file = readKeyForm(await readBytes(sourceOf(path, 'the key', maxKeyFileBytes, terminal), terminal))
  if (file) return file
  throw new FileError(`The file ${path} with the key begins like JSON, but is not JSON.`)
}

/** Names the file in the error of its import: its path, and its place in the command that converts it. */
export async function atFile<Key>(path: string, importing: Promise<Key>): Promise<Key> {
  try {
    return await atPath(path, importing)
  } catch (error) {
    if (!(error instanceof KeyImportError) || error.command === undefined) throw error
    throw error.with({ command: nameInput(error.command, quoteArgument(path)) })
  }
}

/** Twice the service's limit, so that the service refuses a token that is too large. */
const maxReadTokenBytes = 2 * maxTokenBytes

/** Reads the token of a file or of standard input, without the line break at its end. */
export async function readTokenFile(file: string | undefined, terminal: Terminal): Promise<string> {
  const text = await readInput(file, 'the token', maxReadTokenBytes, terminal)
  return text.replace(/\r?\n$/, '')
}

interface NewFile {
  readonly name: string
  readonly content: string
  /** Mode 0600 on file systems that have modes. */
  readonly isSecret: boolean
}

/** Writes files into a folder, all or none. Overwrites no file. */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new FileError(`The folder ${folder} cannot be made: ${fileProblem(error)}.`)
  }
  const made: string[] = []
  for (const { name, content, isSecret } of files) {
    const path = join(folder, name)
    try {
      await using file = await open(path, 'wx', isSecret ? 0o600 : 0o644)
      made.push(path)
      await file.writeFile(content)
      await file.sync()
    } catch (error) {
      await Promise.all(made.map(each => rm(each, { force: true })))
      throw new FileError(`The file ${path} cannot be written: ${fileProblem(error)}. Nothing was written.`)
    }
  }
  return made
}

/** Quotes a path as one argument for a POSIX shell, or for the shells of Windows. */
export function quoteArgument(path: string, platform: string = process.platform): string {
  if (platform === 'win32') return /^[\w.:/\\-]+$/.test(path) ? path : `"${path}"`
  return /^[\w.:/-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
