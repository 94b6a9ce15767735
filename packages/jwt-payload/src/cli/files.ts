import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileError, fileProblem, readText, type Terminal } from '@service-link/command-line'
import { parseJson } from '../http/page-text.ts'
import { maxTokenBytes } from '../verify/read-token.ts'

/** Reads a file, or standard input where there is no path, until Ctrl+C. */
export function readInput(
  path: string | undefined,
  content: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  const signal = terminal.interruption()
  const file = `The file ${path} with ${content}`
  return readText({ path: path ?? '-', file, content, maxBytes, signal }, terminal)
}

/** Far more than a chain of certificates or a key set has. */
const maxKeyFileBytes = 1024 * 1024

/** A key file by its form. */
type KeyFile =
  /** `labels` of all blocks: some tools write several. */
  | { readonly form: 'pem'; readonly text: string; readonly labels: readonly string[] }
  | { readonly form: 'json'; readonly value: unknown }
  /** The base64url text of a shared secret. */
  | { readonly form: 'text'; readonly text: string }

/** Reads a key file. Its first characters decide its form. */
export async function readKeyFile(path: string, terminal: Terminal): Promise<KeyFile> {
  const text = (await readInput(path, 'the key', maxKeyFileBytes, terminal)).trim()
  // JSON first: a registration contains PEM.
  if (!/^[{[]/.test(text)) {
    const labels = Array.from(text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g), ([, label = '']) => label)
    return labels.length === 0 ? { form: 'text', text } : { form: 'pem', text, labels }
  }
  const value = parseJson(text)
  if (value === undefined)
    throw new FileError(`The file ${path} with the key begins like JSON, but is not JSON.`)
  return { form: 'json', value }
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
