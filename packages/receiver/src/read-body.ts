import { PayloadMalformedError, PayloadTooLargeError } from '@service-link/jwt-payload'
import { Refusal, readBoundedBody } from '@service-link/jwt-payload/steps'
import { Deadline } from '@service-link/protocol-core/time'

/** Reads a request's body as text, and no byte more than allowed, whatever `Content-Length` says. */
export async function readBody(
  request: Request,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<string> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new PayloadTooLargeError(maxBytes)
  const isBounded = length !== null && !request.headers.has('transfer-encoding')
  const deadline = new Deadline(timeoutMs)
  const late = () => new PayloadMalformedError(`The body did not arrive within ${timeoutMs} ms.`)
  let text: string | undefined
  try {
    // HTTP ends a body at its `Content-Length`, so no chunk is checked: that takes a server longer than the signature.
    if (isBounded) text = await deadline.waitFor(request.text(), late)
    else {
      using limit = deadline.limit(late)
      text = await readBoundedBody(request, maxBytes, limit.signal)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new PayloadMalformedError('The body broke off.')
  }
  // A request made by hand may state another length than it has.
  if (text === undefined || isLarger(text, maxBytes)) throw new PayloadTooLargeError(maxBytes)
  return text
}

/** Whether a text has more bytes of UTF-8. Counts them only if the length of the text leaves it open. */
function isLarger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes
}
