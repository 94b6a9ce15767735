import type { PayloadAlgorithm, SigningKey } from '@service-link/jwt-payload'
import * as base64url from 'jose/base64url'

export type Json = Readonly<Record<string, unknown>>

/** Members of a token that the launcher writes and can leave out. */
export const leftOutNames = ['kid', 'iss', 'aud', 'iat', 'exp', 'jti'] as const

type LeftOut = (typeof leftOutNames)[number]

/** How a token travels. */
export const plainSend = {
  method: 'POST' as 'POST' | 'GET',
  mediaType: 'application/x-www-form-urlencoded' as 'application/x-www-form-urlencoded' | 'application/json',
  field: 'payload',
  /** Below the address. */
  path: '',
  /** How often the same token is sent. */
  times: 1,
  /** As an HTML template escapes it. */
  isEscaped: false,
  /** As a browser says of a request that a page's script cannot read. */
  isScripted: false,
  /** Origin of a page whose script sends it, as a browser says. */
  scriptOrigin: '',
  /** Size of a second field. */
  fillerBytes: 0,
}

/** How the page registers its own key. A key set takes the place of the key. `repeatable` comes with the policy `lenient`. */
export const plainRegistration = { isActive: true, maxPostsPerMinute: 60, keySetUrl: '', repeatable: false }

/** The journal's registration, as the page is told of it. */
export interface LauncherFacts {
  readonly address: string
  readonly issuer: string
  readonly keyId: string
  readonly publicKey: { readonly kty: string; readonly [member: string]: unknown }
  readonly claims: Json
  /** Whether the service takes registrations for an hour from here. */
  readonly canRegister: boolean
}

/** Everything that the page edits, but private keys and secrets. A link reproduces it. */
export type Launch = Readonly<ReturnType<typeof startLaunch>>

export function startLaunch({ address, claims }: Pick<LauncherFacts, 'address' | 'claims'>) {
  return {
    address,
    /** As they travel. */
    claims,
    algorithm: 'ES256' as PayloadAlgorithm | 'none',
    /** `wrong`: another key under the name of the registered one. `generated`: one of this page. */
    key: 'registered' as 'registered' | 'generated' | 'wrong' | 'pasted' | 'secret',
    /** Empty: that of the key, as for the next three that of the registration, the address and a new UUID. */
    keyId: '',
    issuer: '',
    audience: '',
    tokenId: '',
    /** Seconds by which the signing clock is ahead. */
    skewSeconds: 0,
    /** From `iat` to `exp`. */
    livesSeconds: 60,
    /** From `iat` to `nbf`. */
    notBeforeSeconds: undefined as number | undefined,
    leftOut: [] as readonly LeftOut[],
    send: plainSend,
    /** `undefined`: the page registers no key before it posts. */
    registration: undefined as typeof plainRegistration | undefined,
  }
}

export interface TokenParts {
  readonly header: Json
  readonly claims: Json
}

/** The parts of a token, right or wrong. `own` are the names of the key's registration. */
export function tokenParts(
  launch: Launch,
  own: { readonly keyId: string | undefined; readonly issuer: string | undefined },
): TokenParts {
  const iat = Math.floor(Date.now() / 1000) + launch.skewSeconds
  const { notBeforeSeconds: nbf, leftOut } = launch
  const unless = <Value>(name: LeftOut, value: Value) => (leftOut.includes(name) ? undefined : value)
  return {
    header: { alg: launch.algorithm, typ: 'JWT', kid: unless('kid', launch.keyId || own.keyId) },
    claims: {
      ...launch.claims,
      iss: unless('iss', launch.issuer || own.issuer),
      aud: unless('aud', launch.audience || launch.address),
      iat: unless('iat', iat),
      nbf: nbf === undefined ? undefined : iat + nbf,
      exp: unless('exp', iat + launch.livesSeconds),
      jti: unless('jti', launch.tokenId || crypto.randomUUID()),
    },
  }
}

const utf8 = new TextEncoder()

/** Signs any header and claims, also those that `signPayload` refuses: the launcher shows what a receiver says of them. */
export async function signParts({ header, claims }: TokenParts, key: SigningKey): Promise<string> {
  const input = [header, claims].map(part => base64url.encode(JSON.stringify(part))).join('.')
  if (header.alg === 'none') return `${input}.`
  const bits = Number(key.algorithm.slice(2)) || 512
  const parameters = { name: key.material.algorithm.name, hash: `SHA-${bits}`, saltLength: bits / 8 }
  const signature = await crypto.subtle.sign(parameters, key.material, utf8.encode(input))
  return `${input}.${base64url.encode(new Uint8Array(signature))}`
}

/** The form's fields that carry a token. */
export function fieldsOf({ send }: Launch, token: string): Readonly<Record<string, string>> {
  const { field, isEscaped, fillerBytes } = send
  return {
    [field]: isEscaped ? `&quot;${token}&quot;` : token,
    ...(fillerBytes > 0 ? { filler: 'x'.repeat(fillerBytes) } : {}),
  }
}

/** The request that carries a token, as a program sends it. */
export function requestOf(launch: Launch, token: string) {
  const { method, mediaType, path, isScripted, scriptOrigin } = launch.send
  const fields = fieldsOf(launch, token)
  const isForm = mediaType === plainSend.mediaType
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method === 'POST') headers['content-type'] = mediaType
  if (isScripted || scriptOrigin)
    Object.assign(headers, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': scriptOrigin ? 'cors' : 'no-cors',
      ...(scriptOrigin && { origin: scriptOrigin }),
    })
  const body = isForm ? String(new URLSearchParams(fields)) : JSON.stringify(fields)
  return { url: launch.address + path, method, headers, body: method === 'POST' ? body : '' }
}

/** One HTTP request of a launch. */
export type LaunchRequest = ReturnType<typeof requestOf>
