import { constants, createReadStream, open } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { defineError } from '@service-link/protocol-core/errors'
import { UsageError } from './program.ts'
import type { Terminal } from './terminal.ts'

/**
 * A file cannot be read or written, or lacks what is needed. The message repeats nothing of its content.
 *
 * @remedy Name a file that can be read or written, as the message says.
 * @retry no
 * @seenBy partner's developer
 */
export class FileError extends defineError('ERR_FILE') {}

/** A text to be read, and how messages name it. */
interface TextSource {
  /** Path of a file, or `-` for standard input. */
  readonly path: string
  /** The file, such as `The file after @`: a path may be personal. */
  readonly file: string
  /** The content, such as `the claims`. */
  readonly content: string
  readonly maxBytes: number
  /** Aborts the reading with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** Reads a file or standard input as UTF-8, without a byte order mark. */
export async function readText(source: TextSource, terminal: Input): Promise<string> {
  const bytes = await readBytes(source, terminal)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError(`${nameSource(source)} is not UTF-8 text.`)
  }
}

type Input = Pick<Terminal, 'stdin' | 'isTypedIn' | 'tell'>

function nameSource({ path, file }: TextSource): string {
  return path === '-' ? 'Standard input' : file
}

/** Reads a file or standard input as it is. */
export async function readBytes(
  source: TextSource,
  { stdin, isTypedIn, tell }: Input,
): Promise<Uint8Array<ArrayBuffer>> {
  const { path, content, maxBytes, signal } = source
  const isStdin = path === '-'
  const name = nameSource(source)
  if (isStdin && isTypedIn)
    tell(`Type or paste ${content}, and end with Ctrl+D (on Windows Ctrl+Z and Enter).\n`)
  signal?.throwIfAborted()
  let bytes: Uint8Array | undefined
  try {
    bytes = await readStream(isStdin ? stdin : await openFile(path, maxBytes), maxBytes, signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw new FileError(`${name} cannot be read: ${fileProblem(error)}.`)
  }
  if (!bytes) throw new FileError(`${name} is larger than ${maxBytes} bytes.`)
  if (isStdin && bytes.length === 0)
    throw new UsageError(`Standard input is empty. It needs to hold ${content}.`)
  return Uint8Array.from(bytes)
}

/**
 * Opens a file to be read up to one byte beyond its limit. A named pipe is read as a socket: as a file it would hold a
 * thread until it has a writer, and the process could not end.
 */
async function openFile(path: string, maxBytes: number): Promise<Readable> {
  if (!(await stat(path)).isFIFO()) return createReadStream(path, { end: maxBytes })
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}

/** Ends the stream. Returns `undefined` once it exceeds `maxBytes`. */
async function readStream(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if (signal) addAbortSignal(signal, stream)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > maxBytes) return undefined
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'a file of that name exists',
  ENAMETOOLONG: 'its name is too long',
}

/** Why an operation on a file failed, as a clause. The system's message would repeat the path. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return problems[code] ?? code
}
