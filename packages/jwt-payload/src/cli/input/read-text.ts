import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { FileError, InterruptedError, reasonOf, UsageError } from '../cli-errors.ts'
import type { Terminal } from '../terminal.ts'

/** What is read, and how much of it. */
export interface TextSource {
  /** Path of a file, or `-` for standard input. */
  readonly path: string
  /** For messages, such as `the claims`. */
  readonly what: string
  readonly maxBytes: number
}

/**
 * Reads a file or standard input as UTF-8, without a byte order mark.
 *
 * @throws {FileError} when it cannot be read, is not UTF-8, or is larger than `maxBytes`
 * @throws {InterruptedError} on Ctrl+C
 */
export async function readText(source: TextSource, terminal: Terminal): Promise<string> {
  const { path, what, maxBytes } = source
  if (path !== '-') {
    const name = `The file ${path} with ${what}`
    return decode(await readFile(path, name, maxBytes, terminal.signal), name)
  }
  if (terminal.isTypedIn)
    terminal.tell(`Type or paste ${what}, and end with Ctrl+D (on Windows Ctrl+Z and Enter).\n`)
  return decode(await readStdin(terminal, what, maxBytes), 'Standard input')
}

async function readFile(
  path: string,
  name: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    await using file = await open(path)
    // What is no regular file, such as a pipe, has no size that could be looked at before.
    const stream = file.createReadStream({ autoClose: false, end: maxBytes })
    const bytes = await readStream(stream, maxBytes, signal)
    if (bytes) return bytes
  } catch (error) {
    if (error instanceof InterruptedError) throw error
    throw new FileError(`${name} cannot be read: ${reasonOf(error)}.`)
  }
  throw tooLarge(name, maxBytes)
}

async function readStdin(terminal: Terminal, what: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = await readStream(terminal.stdin, maxBytes, terminal.signal)
  if (!bytes) throw tooLarge('Standard input', maxBytes)
  if (bytes.length === 0) throw new UsageError(`Standard input is empty; it is to hold ${what}.`)
  return bytes
}

/** `undefined` as soon as it is known to be larger. */
async function readStream(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const stop = () => stream.destroy(new InterruptedError())
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of stream) {
      const part = Buffer.from(chunk)
      bytes += part.length
      if (bytes > maxBytes) return undefined
      chunks.push(part)
    }
    return Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError(`${name} is not UTF-8 text.`)
  }
}

function tooLarge(name: string, maxBytes: number): FileError {
  return new FileError(`${name} is larger than ${maxBytes} bytes.`)
}
