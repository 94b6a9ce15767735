import { constants, open as openDescriptor } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { InterruptedError, type Terminal, UsageError } from '@service-link/command-line'
import { ServiceLinkError } from '@service-link/protocol-core'
import { maxTokenBytes } from '../verify/read-token.ts'

/** A file cannot be read or written, or does not hold what is needed. Names the file, and nothing that is in it. */
export class FileError extends ServiceLinkError<'ERR_FILE'> {
  readonly code = 'ERR_FILE'
}

/** What is read, and how much of it. */
interface TextSource {
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
    return decode(await readFile(path, name, maxBytes, terminal.interruption()), name)
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
  const bytes = await readStream(terminal.stdin, maxBytes, terminal.interruption())
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

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'it lies on a file system that is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'a file of that name exists',
  ENAMETOOLONG: 'its name is too long',
}

/** Why an operation on a file failed, as a clause. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return reasons[code] ?? code
}

/** Far more than a chain of certificates or a key set has. */
const maxKeyFileBytes = 1024 * 1024

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
  const text = (await readText({ path, what: 'the key', maxBytes: maxKeyFileBytes }, terminal)).trim()
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

/** Twice what the service takes, so that its own refusal is what one that is too large gets. */
const maxReadTokenBytes = 2 * maxTokenBytes

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
  const text = await readText({ path: file ?? '-', what: 'the token', maxBytes: maxReadTokenBytes }, terminal)
  return text.replace(/\r?\n$/, '')
}
