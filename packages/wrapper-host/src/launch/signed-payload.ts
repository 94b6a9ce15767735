import { defineError, isThisMachine } from '@service-link/protocol-core'
import { isEnd } from '@service-link/protocol-core/person'
import { maxPayloadBytes } from './launch-file.ts'

/** The payload of a launch is no signed JWT with a person. The message repeats none of it. */
export class PayloadShapeError extends defineError(
  'ERR_PAYLOAD_MALFORMED',
  (problem: string, remedy: string = 'Give the signed JWT as the signing step wrote it.') => ({
    message: `The payload ${problem}. ${remedy}`,
  }),
  'PayloadShapeError',
) {}

/** Checks that a text has the form of a signed JWT: three base64url parts with dots between. The service verifies it. */
export function checkSignedPayload(text: string): void {
  if (text.length > maxPayloadBytes) throw new PayloadShapeError(`is longer than ${maxPayloadBytes} bytes`)
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text))
    throw new PayloadShapeError('is not a signed JWT: three base64url parts with dots between them')
  // The service's answer is a page, which would take the web app's place in the window.
  if (isEnd(claimsOf(text)))
    throw new PayloadShapeError(
      'is a signed end, which is posted from a server',
      'A launch ends by clearperson=true or signout=true.',
    )
}

/** Claims that nobody has verified; none if they cannot be read, which the service will say. */
function claimsOf(token: string): object {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

/**
 * The settings name no safe address for a launch's signed payload.
 *
 * @remedy Set `SsoUrl`, or `AppUrl`, to an https address without user name, query and fragment.
 * @retry no
 * @seenBy administrator, integrator
 */
export class SsoUrlError extends defineError(
  'ERR_SSO_URL',
  'A signed payload is posted over https only, or over http to this machine, and below an address without user name, query and fragment. Set SsoUrl, or AppUrl, to such an address in the configuration file in the application root.',
) {}

/** @throws {SsoUrlError} when signed payloads may not be posted below this address */
export function checkSsoUrl(ssoUrl: string): void {
  const url = URL.parse(ssoUrl)
  if (!url || !isSafeForPayloads(url)) throw new SsoUrlError()
}

/** Whether the window may post signed payloads, which are credentials, below an address: nobody else can answer there. */
export function isSafeForPayloads({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname, 'browser'))
  return isSafe && username === '' && password === '' && search === '' && hash === ''
}
