import { constants, open as openDescriptor } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
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
    const isPipe = (await stat(path)).isFIFO()
    const bytes = await (isPipe ? readPipe(path, maxBytes, signal) : readFromDisk(path, maxBytes, signal))
    if (bytes) return bytes
  } catch (error) {
    if (error instanceof InterruptedError) throw error
    throw new FileError(`${name} cannot be read: ${reasonOf(error)}.`)
  }
  throw tooLarge(name, maxBytes)
}

async function readFromDisk(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  await using file = await open(path)
  // Not every file has a size that could be looked at before.
  return await readStream(file.createReadStream({ autoClose: false, end: maxBytes }), maxBytes, signal)
}

/**
 * A named pipe may have no writer yet, or one that writes nothing: opened and read as a file it would hold a thread, which
 * nothing ends, not even the end of the process. As a socket it is waited for.
 */
async function readPipe(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const fd = await promisify(openDescriptor)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const pipe = new Socket({ fd, readable: true, writable: false })
  try {
    return await readStream(pipe, maxBytes, signal)
  } finally {
    pipe.destroy()
  }
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
