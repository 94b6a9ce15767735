import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Reads a file as UTF-8, without a byte order mark.
 *
 * @param what the file, as the first words of a message: its path may be personal
 * @throws {UsageError} when it cannot be read, is not UTF-8, or is longer than a wrapper accepts
 */
export async function readFileText(path: string, what: string): Promise<string> {
  return readText(createReadStream(path, { end: maxRequestFrameBytes }), what)
}

/**
 * Reads standard input to its end as UTF-8, without a byte order mark.
 *
 * @throws {UsageError} when it cannot be read, is not UTF-8, or is longer than a wrapper accepts
 */
export async function readStdinText({ stdin, isTypedIn, tell }: Terminal): Promise<string> {
  if (isTypedIn)
    tell(
      'Type or paste the arguments as one JSON object, and end with Ctrl+D (on Windows Ctrl+Z and Enter).\n',
    )
  return readText(stdin, 'Standard input')
}

async function readText(stream: Readable, what: string): Promise<string> {
  const bytes = await readBytes(stream, what)
  if (bytes.length > maxRequestFrameBytes)
    throw new UsageError(`${what} is longer than a wrapper accepts, ${maxRequestFrameBytes} bytes.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${what} is not UTF-8 text.`)
  }
}

async function readBytes(stream: Readable, what: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > maxRequestFrameBytes) break
    }
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${reasonOf(error)}.`)
  }
  return Buffer.concat(chunks)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
}

/** The operating system's message repeats the path; its name of the failure does not. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return reasons[code] ?? code
}
