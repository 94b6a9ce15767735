import { maxTokenBytes } from '../../verify/read-token.ts'
import type { Terminal } from '../terminal.ts'
import { readText } from './read-text.ts'

/** Twice what the service takes, so that its own refusal is what one that is too large gets. */
const maxBytes = 2 * maxTokenBytes

/** Where a token is: in the arguments, in a file, or on standard input. */
export interface TokenPlace {
  readonly token: string | undefined
  readonly file: string | undefined
}

/**
 * Takes the token. The line break that ends a file is not a part of it.
 *
 * @throws {FileError} when it cannot be read
 */
export async function takeToken({ token, file }: TokenPlace, terminal: Terminal): Promise<string> {
  if (token !== undefined && token !== '-') return token
  const text = await readText({ path: file ?? '-', what: 'the token', maxBytes }, terminal)
  return text.replace(/\r?\n$/, '')
}
