import { Deadline } from '@service-link/protocol-core/time'
import { PayloadMalformedError, PayloadTooLargeError } from '../errors/refusals.ts'
import { readBoundedText } from '../http/read-bounded-text.ts'

/** Limits of {@link readBody}. */
interface BodyLimits {
  readonly maxBytes: number
  /** From the start of reading, before the first byte, to the last byte; in milliseconds. */
  readonly timeoutMs: number
}

/** A body that is being read. */
interface Reading {
  /** `undefined` if it is too large. */
  readonly text: Promise<string | undefined>
  /** Stops reading. */
  readonly cancel: () => void
}

/**
 * Reads a request's body as text, and no byte more than allowed, whatever `Content-Length` says.
 *
 * @throws {PayloadTooLargeError} as soon as it is known to be too large; the rest is not read
 * @throws {PayloadMalformedError} if it does not arrive in time, or breaks off
 */
export async function readBody(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<string> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new PayloadTooLargeError(maxBytes)
  const isBounded = length !== null && !request.headers.has('transfer-encoding')
  const reading = isBounded ? readWhole(request, maxBytes) : readStream(request, maxBytes)
  const tooLate = () => new PayloadMalformedError(`The body did not arrive within ${timeoutMs} ms.`)
  try {
    const text = await new Deadline(timeoutMs).waitFor(reading.text, tooLate)
    if (text === undefined) throw new PayloadTooLargeError(maxBytes)
    return text
  } catch (error) {
    reading.cancel()
    if (error instanceof PayloadTooLargeError || error instanceof PayloadMalformedError) throw error
    throw new PayloadMalformedError('The body broke off.')
  }
}

/**
 * HTTP ends a body at its `Content-Length`, so an acceptable length needs no check of each chunk, which takes a server longer
 * than the signature. A request made by hand may state another length; the text's own length then decides.
 */
function readWhole(request: Request, maxBytes: number): Reading {
  const text = request.text().then(whole => (isLarger(whole, maxBytes) ? undefined : whole))
  // The server drops the rest with the answer.
  return { text, cancel: () => undefined }
}

function readStream({ body }: Request, maxBytes: number): Reading {
  if (!body) return { text: Promise.resolve(''), cancel: () => undefined }
  const reader = body.getReader()
  return {
    text: readBoundedText(reader, maxBytes),
    // Not awaited: a client that stalls could hold it up.
    cancel: () => void reader.cancel().catch(() => undefined),
  }
}

/** Whether a text has more bytes of UTF-8. Counts them only if the length of the text leaves it open. */
function isLarger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes
}
