import { ServiceLinkError } from '@service-link/protocol-core'

/** Largest signed payload, in bytes: the receiver's form of 64 KiB without `payload=`. */
export const maxPayloadBytes = 64 * 1024 - 'payload='.length

/** What a launch brings as payload is no signed JWT. Its message repeats none of it. */
export class PayloadShapeError extends ServiceLinkError<'ERR_PAYLOAD_MALFORMED'> {
  readonly code = 'ERR_PAYLOAD_MALFORMED'

  constructor(problem: string) {
    super(`The payload ${problem}. Give the signed JWT as the signing step wrote it.`)
  }
}

/**
 * Makes sure that a text has the form of a signed JWT: three base64url parts with dots between. Decodes nothing: whether it
 * is accepted is the service's matter.
 *
 * @throws {PayloadShapeError}
 */
export function checkSignedPayload(text: string): void {
  if (text.length > maxPayloadBytes) throw new PayloadShapeError(`is longer than ${maxPayloadBytes} bytes`)
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text))
    throw new PayloadShapeError('is not a signed JWT: three base64url parts with dots between them')
}
