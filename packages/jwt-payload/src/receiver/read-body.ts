import { PayloadMalformedError, PayloadTooLargeError } from '../errors/payload-errors.ts'
import { readBoundedText } from '../http/read-bounded-text.ts'

/** Limits of {@link readBody}. */
export interface BodyLimits {
  readonly maxBytes: number
  /** From the start of reading, before the first byte, to the last byte; in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Reads a request's body as text, and no byte more than allowed, whatever `Content-Length` says.
 *
 * @throws {PayloadTooLargeError} as soon as it is known to be too large; the rest is not read
 * @throws {PayloadMalformedError} when it does not arrive in time, or breaks off
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.maxBytes)
    throw new PayloadTooLargeError(limits.maxBytes)
  if (!request.body) return ''
  const reader = request.body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new PayloadMalformedError(`The body did not arrive within ${limits.timeoutMs} ms.`)),
      limits.timeoutMs,
    )
  })
  try {
    const text = await Promise.race([readBoundedText(reader, limits.maxBytes), tooLate])
    if (text === undefined) throw new PayloadTooLargeError(limits.maxBytes)
    return text
  } catch (error) {
    // Not awaited: a client that stalls could hold it up.
    reader.cancel().catch(() => undefined)
    if (error instanceof PayloadTooLargeError || error instanceof PayloadMalformedError) throw error
    throw new PayloadMalformedError('The body broke off.')
  } finally {
    clearTimeout(timer)
  }
}
