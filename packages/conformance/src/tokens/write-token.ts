import type { SigningKey } from '@service-link/jwt-payload'
import { CompactSign } from 'jose/jws/compact/sign'

/**
 * Signs claims as they are: `signPayload` would refuse wrong ones.
 *
 * @param claims a JSON value, or the bytes of the claims
 * @param header members beside `alg`, `typ` and `kid`
 */
export function writeToken(
  { algorithm, keyId, material }: Pick<SigningKey, 'algorithm' | 'keyId' | 'material'>,
  claims: object | Uint8Array,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const content = claims instanceof Uint8Array ? claims : Buffer.from(JSON.stringify(claims))
  return new CompactSign(content)
    .setProtectedHeader({
      alg: algorithm,
      typ: 'JWT',
      ...(keyId === undefined ? {} : { kid: keyId }),
      ...header,
    })
    .sign(material)
}
