import { PayloadMalformedError } from '../../errors/refusals.ts'
import { MediaTypeError, MethodNotAllowedError, PayloadMissingError } from '../receiver-errors.ts'
import { type BodyLimits, readBody } from './read-body.ts'

/**
 * Takes the token out of a post (specification 4.1), checking in this order: method, media type, size, form.
 *
 * @throws {MethodNotAllowedError} unless it is a POST
 * @throws {MediaTypeError} unless it is `application/x-www-form-urlencoded`
 * @throws {PayloadTooLargeError} when the body is larger than allowed
 * @throws {PayloadMissingError} when there is no field `payload`, or an empty one
 * @throws {PayloadMalformedError} when there is more than one
 */
export async function readForm(request: Request, limits: BodyLimits): Promise<string> {
  if (request.method !== 'POST') throw new MethodNotAllowedError('POST')
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (type !== 'application/x-www-form-urlencoded' || encoding !== 'identity') throw new MediaTypeError()
  return tokenOf(await readBody(request, limits))
}

function tokenOf(body: string): string {
  // What nearly every client sends needs no decoding.
  const plain = /^payload=([\w.-]+)$/.exec(body)?.[1]
  if (plain !== undefined) return plain
  const values = new URLSearchParams(body).getAll('payload')
  if (values.length > 1)
    throw new PayloadMalformedError('The form has more than one field named payload. Send one.')
  const token = values[0]?.trim()
  if (!token) throw new PayloadMissingError()
  return token
}
