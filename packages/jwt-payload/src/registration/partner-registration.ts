import { isThisMachine } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { isPlainHost } from '../http/page-text.ts'
import { type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { listOfKinds } from '../keys/key-members.ts'

const maxUrlLength = 2048
const maxDataUrlLength = 65_536

// The logo is shown as an image: scripts of an SVG do not run there.
const imageDataUrl =
  /^data:image\/(?:png|svg\+xml|jpeg|webp)(?:;charset=utf-8)?(?:;base64)?,[\w!$&'()*+,;=:@/?.~%-]*$/

/** Appearance of the web app for the users of a partner. A page may put each value into an image, a style or a class as it is. */
export interface PartnerAppearance {
  /** Shown in place of the registered name. */
  readonly displayName?: string | undefined
  /** An https URL of at most 2,048 characters, or a `data:` URL of a PNG, SVG, JPEG or WebP. */
  readonly logoUrl?: string | undefined
  /** The partner's color, `#rrggbb`. The web app decides where it shows. */
  readonly color?: string | undefined
  /** The view that the web app begins with: a name of the web app's, such as `workouts`. */
  readonly landingView?: string | undefined
}

export const appearanceSchema = z.strictObject({
  displayName: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(256))),
  logoUrl: z.optional(
    z.string().check(
      z.maxLength(maxDataUrlLength),
      z.refine(isLogoUrl, {
        error: 'must be an https URL, or a data URL of a PNG, SVG, JPEG or WebP image',
      }),
    ),
  ),
  color: z.optional(textLike(/^#[\da-f]{6}$/i, 'must be written #rrggbb')),
  landingView: z.optional(
    textLike(/^[a-z][a-z\d-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  ),
}) satisfies z.ZodMiniType<PartnerAppearance, PartnerAppearance>

/** An origin as browsers write it. It becomes a part of a header. */
export const originSchema = z.string().check(
  z.maxLength(256),
  z.refine(isRegisteredOrigin, {
    error: 'must be an origin without a path, such as https://journal.example; http for this machine only',
  }),
)

const unbare = { error: 'must not begin or end with white space: it is compared exactly' }

const keyOptions = {
  kid: z.optional(z.string().check(z.minLength(1), z.maxLength(256), z.refine(isBare, unbare))),
  algorithms: z.optional(z.array(z.enum(payloadAlgorithms)).check(z.minLength(1))),
}

/** A key in the JSON of a registration. */
export type KeyRegistration = {
  /** The `kid` that tokens name. Default: the key's own `kid`, or none. */
  readonly kid?: string | undefined
  /** The `alg` that tokens may have. Default: each that fits the key. */
  readonly algorithms?: readonly PayloadAlgorithm[] | undefined
} & (
  | {
      /** `x509`: a certificate; `spki`: a public key alone. The others: `jwk`, `jwks` (address of a key set), `secret`. */
      readonly kind: 'x509' | 'spki'
      /** Content of the PEM file, with its line breaks. */
      readonly pem: string
    }
  | { readonly kind: 'jwk'; readonly jwk: { readonly [member: string]: unknown } }
  /** The address of a key set. */
  | { readonly kind: 'jwks'; readonly url: string }
  /** Random bytes in base64url. */
  | { readonly kind: 'secret'; readonly secret: string }
)

/** The import names each other format, and the command that converts it. */
const pem = z.string().check(z.minLength(1))

/** One key of a registration: a certificate, a public key, the address of a key set, or a secret. */
export const keyRegistrationSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('x509'), pem, ...keyOptions }),
    z.strictObject({ kind: z.literal('spki'), pem, ...keyOptions }),
    z.strictObject({
      kind: z.literal('jwk'),
      jwk: z.looseObject({}),
      ...keyOptions,
    }),
    z.strictObject({ kind: z.literal('jwks'), url: z.url(), ...keyOptions }),
    z.strictObject({ kind: z.literal('secret'), secret: z.string(), ...keyOptions }),
  ],
  { error: listOfKinds },
) satisfies z.ZodMiniType<KeyRegistration, KeyRegistration>

/** The keys of a registration. One alone is taken as a list of it. */
export const keysSchema = z.pipe(
  z.transform((keys: z.input<typeof keyRegistrationSchema>[]) => (keys === undefined ? keys : [keys].flat())),
  z.array(keyRegistrationSchema).check(z.minLength(1, { error: 'must have a key' })),
)

/** A partner's registration as JSON: an element of a service's list of partners. */
export interface PartnerRegistration {
  /** The service's own identifier of the partner; part of every employee's and organization's identity. */
  readonly id: string
  /** Its name, for people. */
  readonly name: string
  /** The only `iss` that its tokens may carry. Without it: any, or none. */
  readonly issuer?: string | undefined
  /** `lenient` also takes tokens without `exp`, `iat`, `aud` and `jti`; each is still used once. Default `strict`. */
  readonly policy?: 'strict' | 'lenient' | undefined
  /** An inactive partner is refused with 403 once its signature was verified. Default true. */
  readonly isActive?: boolean | undefined
  /** Any number, with overlapping validity, for the rotation of certificates and secrets. */
  readonly keys: readonly KeyRegistration[]
  /** How the web app looks for its users. */
  readonly appearance?: PartnerAppearance | undefined
  /** The answer to a post whose `Accept` prefers neither HTML nor JSON: the page, or a one-time URL. Default `page`. */
  readonly answer?: 'page' | 'link' | undefined
  /** Origins whose pages may show the answer in a frame, such as `https://journal.example`. Default: it is never framed. */
  readonly frameOrigins?: readonly string[] | undefined
  /** Origins whose scripts may post and get the one-time URL as JSON, as for `frameOrigins`. Default: a form must post. */
  readonly scriptOrigins?: readonly string[] | undefined
  /** Whether it may post signed ends (claim `end`), which take back what its payloads opened. Default false. */
  readonly ends?: boolean | undefined
  /** Posts of one minute. Default 6,000. */
  readonly maxPostsPerMinute?: number | undefined
  /** Whether its `contact.id` is the person's national identity number (spec 2.1), where there is no `contact.ssn`. Default false. */
  readonly contactIdIsSsn?: boolean | undefined
  /**
   * Whether a token without `iat`, `exp` and `jti` is taken each time it is posted, by anybody, for ever. For a test partner with a
   * sample token that never changes; needs the policy `lenient`. Default false.
   */
  readonly repeatable?: boolean | undefined
}

/** See {@link PartnerRegistration}. */
export const partnerRegistrationSchema = z
  .strictObject({
    id: textLike(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens'),
    name: z.string().check(z.minLength(1), z.maxLength(256)),
    issuer: z.optional(z.string().check(z.minLength(1), z.maxLength(1024), z.refine(isBare, unbare))),
    policy: z._default(z.enum(['strict', 'lenient']), 'strict'),
    isActive: z._default(z.boolean(), true),
    keys: keysSchema,
    appearance: z._default(appearanceSchema, {}),
    answer: z._default(z.enum(['page', 'link']), 'page'),
    frameOrigins: z._default(z.array(originSchema).check(z.maxLength(20)), []),
    scriptOrigins: z._default(z.array(originSchema).check(z.maxLength(20)), []),
    ends: z._default(z.boolean(), false),
    maxPostsPerMinute: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 6000),
    contactIdIsSsn: z._default(z.boolean(), false),
    repeatable: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ policy, repeatable }) => !repeatable || policy === 'lenient', {
      path: ['repeatable'],
      error: 'needs the policy lenient: under strict each token is used once',
    }),
    z.refine(({ issuer, keys }) => issuer !== undefined || keys.every(({ kind }) => kind !== 'jwks'), {
      path: ['issuer'],
      error: 'is missing: a token with a key of a key set (jwks) is found by its iss alone, so register that',
    }),
  ) satisfies z.ZodMiniType<unknown, PartnerRegistration>

function textLike(pattern: RegExp, error: string) {
  return z.string().check(z.regex(pattern, { error }))
}

function isBare(text: string): boolean {
  return text.trim() === text
}

function isLogoUrl(text: string): boolean {
  if (text.startsWith('data:')) return imageDataUrl.test(text)
  if (text.length > maxUrlLength || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.href !== text || !isPlainHost(url)) return false
  return url.username === '' && url.password === ''
}

function isRegisteredOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.origin !== text || !isPlainHost(url)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname, 'browser'))
}
