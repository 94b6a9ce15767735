import { isThisMachine, ServiceLinkError } from '@service-link/protocol-core'

/** Largest signed payload, in bytes: the receiver's form of 64 KiB without `payload=`. */
export const maxPayloadBytes = 64 * 1024 - 'payload='.length

/** The payload of a launch is no signed JWT. The message repeats none of it. */
export class PayloadShapeError extends ServiceLinkError<'ERR_PAYLOAD_MALFORMED'> {
  readonly code = 'ERR_PAYLOAD_MALFORMED'

  constructor(problem: string) {
    super(`The payload ${problem}. Give the signed JWT as the signing step wrote it.`)
  }
}

/**
 * Checks that a text has the form of a signed JWT: three base64url parts with dots between. The service verifies it.
 *
 * @throws {PayloadShapeError}
 */
export function checkSignedPayload(text: string): void {
  if (text.length > maxPayloadBytes) throw new PayloadShapeError(`is longer than ${maxPayloadBytes} bytes`)
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text))
    throw new PayloadShapeError('is not a signed JWT: three base64url parts with dots between them')
}

/** A launch brings a signed payload, and the settings name no safe address to post it to. */
export class SsoUrlError extends ServiceLinkError<'ERR_SSO_URL'> {
  readonly code = 'ERR_SSO_URL'

  constructor() {
    super(
      'A signed payload is posted over https only, or over http to this machine. Set SsoUrl, or AppUrl, to such an address in the configuration file in the application root.',
    )
  }
}

/**
 * Checks that signed payloads, which are credentials, may be posted below an address: https, or http to this machine.
 *
 * @param ssoUrl base of `{sso_url}/partner/payload` (specification 4.1)
 * @throws {SsoUrlError}
 */
export function checkSsoUrl(ssoUrl: string): void {
  const url = URL.parse(ssoUrl)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname, 'browser'))
  if (!isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new SsoUrlError()
}
