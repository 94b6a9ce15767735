import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { ServiceLinkError } from '@service-link/protocol-core'
import { failureReason } from '../failure-reason.ts'

/** The XML file of a launch that cannot be read: not there, not a file, too large, or not permitted. */
export class XmlFileError extends ServiceLinkError<'ERR_XML_FILE'> {
  readonly code = 'ERR_XML_FILE'
  /** Absolute path of the file. */
  readonly file: string

  constructor(file: string, problem: string) {
    super(`The XML file ${file} ${problem}.`)
    this.file = file
  }
}

/** A file as it was when it was read. */
export interface ReadXmlFile {
  readonly bytes: Uint8Array
  /**
   * Deletes the file if the one under its name is still the one that was read; a newer one stays.
   *
   * @returns whether it was deleted
   */
  deleteIfSame(): Promise<boolean>
}

/**
 * Reads the whole of a file, and remembers which one it was.
 *
 * @param file absolute path
 * @param maxBytes a larger file is refused unread
 * @param signal gives the reading up, for its reason
 * @throws {XmlFileError}
 */
export async function readXmlFile(
  file: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ReadXmlFile> {
  try {
    // Opening a named pipe or a device would wait for whoever is at its other end.
    if (!(await stat(file)).isFile()) throw new XmlFileError(file, 'is not a file')
    await using handle = await open(file, 'r')
    const before = await identify(handle)
    if (before.size > maxBytes) throw new XmlFileError(file, `is larger than ${maxBytes} bytes`)
    const bytes = await handle.readFile({ signal })
    return { bytes, deleteIfSame: () => deleteIfSame(file, before) }
  } catch (error) {
    if (error instanceof XmlFileError) throw error
    signal?.throwIfAborted()
    throw new XmlFileError(file, problemOf(error))
  }
}

interface FileIdentity {
  readonly device: bigint
  readonly node: bigint
  readonly size: bigint
  readonly changedAtNs: bigint
}

async function identify(at: FileHandle | string): Promise<FileIdentity> {
  const found = await (typeof at === 'string' ? stat(at, { bigint: true }) : at.stat({ bigint: true }))
  return { device: found.dev, node: found.ino, size: found.size, changedAtNs: found.mtimeNs }
}

async function deleteIfSame(file: string, read: FileIdentity): Promise<boolean> {
  try {
    const now = await identify(file)
    const isSame =
      now.device === read.device &&
      now.node === read.node &&
      now.size === read.size &&
      now.changedAtNs === read.changedAtNs
    if (isSame) await rm(file)
    return isSame
  } catch (error) {
    if (failureReason(error) === 'ENOENT') return false
    throw new XmlFileError(file, 'could not be deleted')
  }
}

function problemOf(error: unknown): string {
  switch (failureReason(error)) {
    case 'ENOENT':
      return 'is not there'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    default:
      return `cannot be read (${failureReason(error)})`
  }
}
