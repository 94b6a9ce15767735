import {
  isRefusalCode,
  payloadAlgorithms,
  type ReceiverFacts,
  type RefusalCode,
  type SigningKey,
} from '@service-link/jwt-payload'
import * as base64url from 'jose/base64url'
import * as z from 'zod/mini'

export type Json = Readonly<Record<string, unknown>>

/** Members of a token that the launcher writes and can leave out. */
export const leftOutNames = ['kid', 'iss', 'aud', 'iat', 'exp', 'jti'] as const

/** `wrong`: another key under the name of the registered one. `generated`: one of the page. */
export const keyChoices = ['registered', 'generated', 'secret', 'wrong', 'pasted'] as const

type LeftOut = (typeof leftOutNames)[number]

/** With both slashes, because browsers resolve `https:host` against the page, and without a name that hides the host. */
const webAddress = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .check(z.maxLength(2048), z.regex(/^https?:\/\/[^\s\p{Cc}/\\?#@]+([/?#][^\s\p{Cc}\\]*)?$/iu))

const name = z.string().check(z.maxLength(1024))

/** Ten years, in seconds. */
const maxSeconds = 315_360_000
const seconds = z.int().check(z.gte(-maxSeconds), z.lte(maxSeconds))

/** Everything that the page edits, but private keys and secrets. A link reproduces it. */
export const launchSchema = z.strictObject({
  address: webAddress,
  /** As they travel. */
  claims: z.record(z.string(), z.unknown()).check(z.refine(claims => isShallow(claims))),
  algorithm: z._default(z.enum([...payloadAlgorithms, 'none']), 'ES256'),
  key: z._default(z.enum(keyChoices), 'registered'),
  /** Empty: that of the key, as for the next three that of the registration, the address and a new UUID. */
  keyId: z._default(name, ''),
  issuer: z._default(name, ''),
  audience: z._default(name, ''),
  tokenId: z._default(name, ''),
  /** Seconds by which the signing clock is ahead. */
  skewSeconds: z._default(seconds, 0),
  /** From `iat` to `exp`. */
  livesSeconds: z._default(seconds, 60),
  leftOut: z._default(z.readonly(z.array(z.enum(leftOutNames)).check(z.maxLength(leftOutNames.length))), []),
  /** What is wrong with it beyond the above: how it is sent and registered. Empty: nothing. */
  preset: z._default(z.union([z.literal(''), z.custom<RefusalCode>(isRefusalCode)]), ''),
  /** Whether the page registers its own key before it posts. */
  isRegistered: z._default(z.boolean(), false),
})

export type Launch = Readonly<z.output<typeof launchSchema>>

/** Deeper claims would overflow the stack of `JSON.stringify`. A receiver refuses more than 16 levels. */
const maxDepth = 64

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < maxDepth && Object.values(value).every(child => isShallow(child, depth + 1))
}

/** The journal's registration, as the page is told of it. */
export interface LauncherFacts {
  readonly address: string
  readonly issuer: string
  readonly keyId: string
  readonly publicKey: { readonly kty: string; readonly [member: string]: unknown }
  readonly claims: Json
  /** What the service says of itself. */
  readonly receiver?: ReceiverFacts | undefined
}

export function startLaunch({ address, claims }: Pick<LauncherFacts, 'address' | 'claims'>): Launch {
  return launchSchema.parse({ address, claims })
}

/** Whom a token is for: `undefined` for one without `aud`. */
export const audienceOf = ({ address, audience, leftOut }: Launch) =>
  leftOut.includes('aud') ? undefined : audience || address

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
  const { leftOut } = launch
  const unless = <Value>(name: LeftOut, value: Value) => (leftOut.includes(name) ? undefined : value)
  return {
    header: { alg: launch.algorithm, typ: 'JWT', kid: unless('kid', launch.keyId || own.keyId) },
    claims: {
      ...launch.claims,
      iss: unless('iss', launch.issuer || own.issuer),
      aud: audienceOf(launch),
      iat: unless('iat', iat),
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
