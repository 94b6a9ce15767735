import { createHmac, createPrivateKey, type KeyObject, sign as signBytes } from 'node:crypto'
import { keyText, payload, url } from '@service-link/test-kit/payload-vectors'

/** The time of all forgeries. */
export const now = new Date('2026-06-01T12:00:00Z')
const iat = now.getTime() / 1000

/** Claims that pass under either policy, each time with a new token id. */
export function goodClaims(): Record<string, unknown> {
  return {
    ...payload,
    iss: 'https://partner.example',
    aud: url,
    iat,
    exp: iat + 60,
    jti: crypto.randomUUID(),
  }
}

export function base64url(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64url')
}

/** A compact token of any header and claims: values are written as JSON, text is copied. */
export function compact(
  header: unknown,
  claims: unknown,
  sign: (input: string) => Uint8Array | string,
): string {
  const input = [header, claims]
    .map(part => base64url(typeof part === 'string' ? part : JSON.stringify(part)))
    .join('.')
  const signature = sign(input)
  return `${input}.${typeof signature === 'string' ? signature : base64url(signature)}`
}

type Sign = (input: string) => Uint8Array

/** A private key of the vectors. */
export function privateKey(name: string): KeyObject {
  return createPrivateKey(keyText(name, 'privatePem'))
}

/** Raw ECDSA, as in a JWS. */
export function es256(key: KeyObject): Sign {
  return input => signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

export function rs256(key: KeyObject): Sign {
  return input => signBytes('sha256', Buffer.from(input), key)
}

export function ps256(key: KeyObject, saltLength: number): Sign {
  return input => signBytes('sha256', Buffer.from(input), { key, padding: 6, saltLength })
}

export function ed25519(key: KeyObject): Sign {
  return input => signBytes(null, Buffer.from(input), key)
}

export function hmac(secret: string | Uint8Array, hash = 'sha256'): Sign {
  return input => createHmac(hash, secret).update(input).digest()
}

/** The partner's valid signature over any content, so that only the content can fail. */
export function signedBy(name: 'p256' | 'rsa' | 'ed25519' | 'secret', header: object = {}) {
  const [alg, sign] = {
    p256: ['ES256', es256] as const,
    rsa: ['RS256', rs256] as const,
    ed25519: ['EdDSA', ed25519] as const,
    secret: ['HS256', undefined] as const,
  }[name]
  const own = sign ? sign(privateKey(name)) : hmac(Buffer.from(keyText('secret', 'secret'), 'base64url'))
  return {
    header: { alg, typ: 'JWT', kid: name, ...header },
    /** @param claims default: valid claims */
    token: (claims: unknown = goodClaims()) =>
      compact({ alg, typ: 'JWT', kid: name, ...header }, claims, own),
    sign: own,
  }
}
