import { ServiceLinkError } from '@service-link/protocol-core'
import { readLaunchFile } from './launch-file.ts'
import { maxPayloadBytes } from './signed-payload.ts'

/** The file of `payload=@<file>` cannot be used: not there, not a file, too large, not permitted, or open to other users. */
export class PayloadFileError extends ServiceLinkError<'ERR_PAYLOAD_FILE'> {
  readonly code = 'ERR_PAYLOAD_FILE'

  /** @param problem as a clause; neither path nor content */
  constructor(problem: string) {
    super(`The file that payload names ${problem}.`)
  }
}

/** A signed payload that lay in a file. */
export interface ReadPayloadFile {
  /** Without surrounding white space; not yet looked into. */
  readonly payload: string
  /** Deletes the file if it is still the one that was read; returns whether it did. */
  deleteIfSame(): Promise<boolean>
}

/** Room for the line break that many programs put at the end of a file. */
const whiteSpaceBytes = 16

/**
 * Reads a file that holds a signed payload and nothing else. It is a credential: a link is refused, and where the operating
 * system tells, so is a file of another user, or one that others may read or change.
 *
 * @param file absolute path
 * @param signal gives the reading up, for its reason
 * @throws {PayloadFileError}
 */
export async function readPayloadFile(file: string, signal?: AbortSignal): Promise<ReadPayloadFile> {
  const read = await readLaunchFile(file, {
    maxBytes: maxPayloadBytes + whiteSpaceBytes,
    isPrivate: true,
    fail: problem => new PayloadFileError(problem),
    ...(signal ? { signal } : {}),
  })
  // Whatever is not ASCII is refused as part of a payload, so how it is read does not matter.
  return { payload: Buffer.from(read.bytes).toString('latin1').trim(), deleteIfSame: read.deleteIfSame }
}
