import { FileError } from '../cli-errors.ts'
import type { Terminal } from '../terminal.ts'
import { readText } from './read-text.ts'

/** Far more than a chain of certificates or a key set has. */
const maxBytes = 1024 * 1024

/** Text of a key file, by what it can be. */
export type KeyFile =
  /** `labels` of all its blocks: some tools write more than the one that is meant. */
  | { readonly form: 'pem'; readonly text: string; readonly labels: readonly string[] }
  | { readonly form: 'json'; readonly value: unknown }
  /** Neither: the base64url text of a shared secret. */
  | { readonly form: 'text'; readonly text: string }

/**
 * Reads a key file and tells its form by how it begins.
 *
 * @throws {FileError} when it cannot be read
 */
export async function readKeyFile(path: string, terminal: Terminal): Promise<KeyFile> {
  const text = (await readText({ path, what: 'the key', maxBytes }, terminal)).trim()
  // JSON first: a registration has PEM in it.
  if (!/^[{[]/.test(text)) {
    const labels = Array.from(text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g), ([, label = '']) => label)
    return labels.length === 0 ? { form: 'text', text } : { form: 'pem', text, labels }
  }
  try {
    return { form: 'json', value: JSON.parse(text) }
  } catch {
    throw new FileError(`The file ${path} with the key begins like JSON, and is none.`)
  }
}
