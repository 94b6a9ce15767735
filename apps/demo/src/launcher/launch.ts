import { payloadAlgorithms, type SigningKey } from '@service-link/jwt-payload'
import * as base64url from 'jose/base64url'
import * as z from 'zod/mini'

export type Json = Readonly<Record<string, unknown>>

/** Members of a token that the launcher writes and can leave out. */
export const leftOutNames = ['kid', 'iss', 'aud', 'iat', 'exp', 'jti'] as const

type LeftOut = (typeof leftOutNames)[number]

/** With both slashes, because browsers resolve `https:host` against the page, and without a name that hides the host. */
const webAddress = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .check(z.maxLength(2048), z.regex(/^https?:\/\/[^\s\p{Cc}/\\?#@]+([/?#][^\s\p{Cc}\\]*)?$/iu))

const name = z.string().check(z.maxLength(1024))

/** Ten years, in seconds. */
const maxSeconds = 315_360_000
const seconds = z.int().check(z.gte(-maxSeconds), z.lte(maxSeconds))

/** How a token travels. */
const sendSchema = z.strictObject({
  method: z._default(z.enum(['POST', 'GET']), 'POST'),
  mediaType: z._default(
    z.enum(['application/x-www-form-urlencoded', 'application/json']),
    'application/x-www-form-urlencoded',
  ),
  field: z._default(z.string().check(z.minLength(1), z.maxLength(64)), 'payload'),
  /** Below the address. It begins with a slash, so that it changes no host. */
  path: z._default(z.string().check(z.maxLength(256), z.regex(/^(\/[\w.~/-]*)?$/)), ''),
  /** How often the same token is sent. */
  times: z._default(z.int().check(z.gte(1), z.lte(10)), 1),
  /** As an HTML template escapes it. */
  isEscaped: z._default(z.boolean(), false),
  /** As a browser says of a request that a page's script cannot read. */
  isScripted: z._default(z.boolean(), false),
  /** Origin of a page whose script sends it, as a browser says. */
  scriptOrigin: z._default(z.string().check(z.regex(/^(https?:\/\/[\w.:[\]-]{1,255})?$/)), ''),
  /** Size of a second field. */
  fillerBytes: z._default(z.int().check(z.gte(0), z.lte(200_000)), 0),
})

/** How the page registers its own key. A key set takes the place of the key. `repeatable` comes with the policy `lenient`. */
const registrationSchema = z.strictObject({
  isActive: z._default(z.boolean(), true),
  maxPostsPerMinute: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 60),
  keySetUrl: z._default(z.union([z.literal(''), webAddress]), ''),
  repeatable: z._default(z.boolean(), false),
})

export const plainSend = sendSchema.parse({})

export const plainRegistration = registrationSchema.parse({})

/** Everything that the page edits, but private keys and secrets. A link reproduces it. */
export const launchSchema = z.strictObject({
  address: webAddress,
  /** As they travel. */
  claims: z.record(z.string(), z.unknown()).check(z.refine(claims => isShallow(claims))),
  algorithm: z._default(z.enum([...payloadAlgorithms, 'none']), 'ES256'),
  /** `wrong`: another key under the name of the registered one. `generated`: one of this page. */
  key: z._default(z.enum(['registered', 'generated', 'wrong', 'pasted', 'secret']), 'registered'),
  /** Empty: that of the key, as for the next three that of the registration, the address and a new UUID. */
  keyId: z._default(name, ''),
  issuer: z._default(name, ''),
  audience: z._default(name, ''),
  tokenId: z._default(name, ''),
  /** Seconds by which the signing clock is ahead. */
  skewSeconds: z._default(seconds, 0),
  /** From `iat` to `exp`. */
  livesSeconds: z._default(seconds, 60),
  /** From `iat` to `nbf`. */
  notBeforeSeconds: z.optional(seconds),
  leftOut: z._default(z.readonly(z.array(z.enum(leftOutNames)).check(z.maxLength(leftOutNames.length))), []),
  send: z._default(sendSchema, plainSend),
  /** `undefined`: the page registers no key before it posts. */
  registration: z.optional(registrationSchema),
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
  /** Whether the service takes registrations from here. */
  readonly canRegister: boolean
}

export function startLaunch({ address, claims }: Pick<LauncherFacts, 'address' | 'claims'>): Launch {
  return launchSchema.parse({ address, claims })
}

/** Where a token goes, and whom it is for: `undefined` for one without `aud`. */
export function routeOf({ address, send, audience, leftOut }: Launch) {
  return {
    target: address + send.path,
    audience: leftOut.includes('aud') ? undefined : audience || address,
  }
}

/** An address as the browser opens it: in ASCII, where no letter looks like another. */
const plainAddress = (text: string) => URL.parse(text)?.href ?? text

/** What a launch does beyond the demo's own service, as a person must see it: only the user knows whether it should. */
export function strangersOf(launch: Launch, { address }: Pick<LauncherFacts, 'address'>) {
  const { target, audience } = routeOf(launch)
  const isElsewhere = URL.parse(target)?.origin !== new URL(address).origin
  const keySetUrl = launch.registration?.keySetUrl || undefined
  if (!isElsewhere && keySetUrl === undefined) return undefined
  return {
    isElsewhere,
    target: plainAddress(target),
    audience: audience && plainAddress(audience),
    keySetUrl: keySetUrl && plainAddress(keySetUrl),
  }
}

export type Strangers = NonNullable<ReturnType<typeof strangersOf>>

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
      aud: routeOf(launch).audience,
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
  const { method, mediaType, isScripted, scriptOrigin } = launch.send
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
  return { url: routeOf(launch).target, method, headers, body: method === 'POST' ? body : '' }
}

/** One HTTP request of a launch. */
export type LaunchRequest = ReturnType<typeof requestOf>
