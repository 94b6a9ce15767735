import { ServiceLinkError } from '@service-link/protocol-core'
import { type ReadLaunchFile, readLaunchFile } from './launch-file.ts'

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

/**
 * Reads the whole of an XML file, and remembers which one it was.
 *
 * @param file absolute path
 * @param maxBytes a larger file is refused unread
 * @param signal gives the reading up, for its reason
 * @throws {XmlFileError}
 */
export function readXmlFile(file: string, maxBytes: number, signal?: AbortSignal): Promise<ReadLaunchFile> {
  return readLaunchFile(file, {
    maxBytes,
    fail: problem => new XmlFileError(file, problem),
    ...(signal ? { signal } : {}),
  })
}
