import type { PayloadAlgorithm, SigningKey } from '@service-link/jwt-payload'
import * as base64url from 'jose/base64url'

/** Everything that the launcher's page edits, but private keys and secrets. A link reproduces it. */
export interface Launch {
  /** Where to post, `{sso_url}/partner/payload`. */
  readonly address: string
  /** As they travel. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly algorithm: PayloadAlgorithm | 'none'
  /**
   * `registered`: the journal's key, which the service knows. `wrong`: another key under the name of that one. `generated`:
   * one of this page. `pasted` and `secret`: one of the user.
   */
  readonly key: 'registered' | 'generated' | 'wrong' | 'pasted' | 'secret'
  /** Header `kid`. Empty: that of the key. */
  readonly keyId: string
  /** Empty: that of the registration. */
  readonly issuer: string
  /** Empty: the address. */
  readonly audience: string
  /** Empty: a new UUID for each token. */
  readonly tokenId: string
  /** Seconds by which the signing clock is ahead. */
  readonly skewSeconds: number
  /** From `iat` to `exp`. */
  readonly livesSeconds: number
  /** From `iat` to `nbf`. */
  readonly notBeforeSeconds: number | undefined
  readonly leftOut: readonly LeftOut[]
  readonly send: Send
  /** How the page registers its own key before it posts. `undefined`: it does not. */
  readonly registration: OwnRegistration | undefined
}

/** Members of a token that the launcher writes and can leave out. */
export const leftOutNames = ['kid', 'iss', 'aud', 'iat', 'exp', 'jti'] as const

type LeftOut = (typeof leftOutNames)[number]

/** How a token travels. All but the first of each kind is a mistake that the service refuses. */
export interface Send {
  readonly method: 'POST' | 'GET' | 'PUT'
  readonly mediaType: 'application/x-www-form-urlencoded' | 'multipart/form-data' | 'application/json'
  readonly field: string
  /** Below the address. */
  readonly path: string
  /** How often the same token is sent. */
  readonly times: number
  /** As a template escapes it. */
  readonly isEscaped: boolean
  /** As a browser says of a script's request. */
  readonly isScripted: boolean
  /** Size of a second field. */
  readonly fillerBytes: number
}

export interface OwnRegistration {
  readonly isActive: boolean
  readonly maxPostsPerMinute: number
  /** Registered in place of the page's key. */
  readonly keySetUrl: string
}

export const plainRegistration: OwnRegistration = { isActive: true, maxPostsPerMinute: 60, keySetUrl: '' }

export const plainSend: Send = {
  method: 'POST',
  mediaType: 'application/x-www-form-urlencoded',
  field: 'payload',
  path: '',
  times: 1,
  isEscaped: false,
  isScripted: false,
  fillerBytes: 0,
}

/** What the page is told of the journal's registration. */
export interface LauncherFacts {
  readonly address: string
  readonly issuer: string
  readonly keyId: string
  readonly publicKey: { readonly kty: string; readonly [member: string]: unknown }
  readonly claims: Launch['claims']
  /** Whether the service takes registrations for an hour from here. */
  readonly canRegister: boolean
}

export function startLaunch({ address, claims }: LauncherFacts): Launch {
  return {
    address,
    claims,
    algorithm: 'ES256',
    key: 'registered',
    keyId: '',
    issuer: '',
    audience: '',
    tokenId: '',
    skewSeconds: 0,
    livesSeconds: 60,
    notBeforeSeconds: undefined,
    leftOut: [],
    send: plainSend,
    registration: undefined,
  }
}

export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** The parts of a token, right or wrong. `own` are the names of the key's registration. */
export function tokenParts(
  launch: Launch,
  own: { readonly keyId: string | undefined; readonly issuer: string | undefined },
  now = new Date(),
): TokenParts {
  const iat = Math.floor(now.getTime() / 1000) + launch.skewSeconds
  const { notBeforeSeconds: nbf, leftOut } = launch
  const given = <Value>(name: LeftOut, value: Value) => (leftOut.includes(name) ? undefined : value)
  return {
    header: { alg: launch.algorithm, typ: 'JWT', kid: given('kid', launch.keyId || own.keyId) },
    claims: {
      ...launch.claims,
      iss: given('iss', launch.issuer || own.issuer),
      aud: given('aud', launch.audience || launch.address),
      iat: given('iat', iat),
      nbf: nbf === undefined ? undefined : iat + nbf,
      exp: given('exp', iat + launch.livesSeconds),
      jti: given('jti', launch.tokenId || crypto.randomUUID()),
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

/** One HTTP request of a launch. */
export interface LaunchRequest {
  readonly url: string
  readonly method: Send['method']
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The request that carries a token, as a program sends it. */
export function requestOf({ address, send }: Launch, token: string): LaunchRequest {
  const text = send.isEscaped ? `&quot;${token}&quot;` : token
  const fields = {
    [send.field]: text,
    ...(send.fillerBytes > 0 ? { filler: 'x'.repeat(send.fillerBytes) } : {}),
  }
  const boundary = 'launcher'
  const bodies: Record<Send['mediaType'], () => string> = {
    'application/x-www-form-urlencoded': () => String(new URLSearchParams(fields)),
    'application/json': () => JSON.stringify(fields),
    'multipart/form-data': () =>
      `${Object.entries(fields)
        .map(
          ([name, value]) =>
            `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .join('')}--${boundary}--\r\n`,
  }
  const hasBody = send.method !== 'GET'
  return {
    url: address + send.path,
    method: send.method,
    headers: {
      accept: 'application/json',
      ...(hasBody
        ? {
            'content-type': `${send.mediaType}${send.mediaType === 'multipart/form-data' ? `; boundary=${boundary}` : ''}`,
          }
        : {}),
      ...(send.isScripted ? { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } : {}),
    },
    body: hasBody ? bodies[send.mediaType]() : '',
  }
}
