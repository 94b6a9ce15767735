import { isThisMachine } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { isPlainHost } from '../http/page-text.ts'
import { payloadAlgorithms } from '../keys/algorithms.ts'

const maxUrlLength = 2048
const maxDataUrlLength = 65_536

// The logo is shown as an image: scripts of an SVG do not run there.
const imageDataUrl =
  /^data:image\/(?:png|svg\+xml|jpeg|webp)(?:;charset=utf-8)?(?:;base64)?,[\w!$&'()*+,;=:@/?.~%-]*$/

/** Appearance of the web app for the users of a partner. A page may put each value into an image, a style or a class as it is. */
export const appearanceSchema = z.strictObject({
  /** Shown in place of the registered name. */
  displayName: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(256))),
  /** An https URL of at most 2,048 characters, or a `data:` URL of a PNG, SVG, JPEG or WebP. */
  logoUrl: z.optional(
    z.string().check(
      z.maxLength(maxDataUrlLength),
      z.refine(isLogoUrl, {
        error: 'must be an https URL, or a data URL of a PNG, SVG, JPEG or WebP image',
      }),
    ),
  ),
  /** The color of buttons and links, `#rrggbb`. */
  color: z.optional(textLike(/^#[\da-f]{6}$/i, 'must be written #rrggbb')),
  /** The view that the web app begins with, such as `workouts`. */
  landingView: z.optional(
    textLike(/^[a-z][a-z\d-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  ),
})

/** See {@link appearanceSchema}. */
export type PartnerAppearance = Readonly<z.output<typeof appearanceSchema>>

/** An origin as browsers write it. It becomes a part of a header. */
export const originSchema = z.string().check(
  z.maxLength(256),
  z.refine(isRegisteredOrigin, {
    error: 'must be an origin without a path, such as https://journal.example; http for this machine only',
  }),
)

const unbare = { error: 'must not begin or end with white space: it is compared exactly' }

const keyOptions = {
  /** The `kid` that tokens name. Default: the key's own `kid`, or none. */
  kid: z.optional(z.string().check(z.minLength(1), z.maxLength(256), z.refine(isBare, unbare))),
  /** The `alg` that tokens may have. Default: each that fits the key. */
  algorithms: z.optional(z.array(z.enum(payloadAlgorithms)).check(z.minLength(1))),
}

/** The import names each other format, and the command that converts it. */
const pem = z.string().check(z.minLength(1))

/** A key in the JSON of a registration. */
export const keyRegistrationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('x509'), pem, ...keyOptions }),
  z.strictObject({ kind: z.literal('spki'), pem, ...keyOptions }),
  z.strictObject({
    kind: z.literal('jwk'),
    jwk: z.looseObject({}),
    ...keyOptions,
  }),
  z.strictObject({ kind: z.literal('jwks'), url: z.url(), ...keyOptions }),
  z.strictObject({ kind: z.literal('secret'), secret: z.string(), ...keyOptions }),
])

/** The keys of a registration. One alone is taken as a list of it. */
export const keysSchema = z.pipe(
  z.transform((keys: z.input<typeof keyRegistrationSchema>[]) => (keys === undefined ? keys : [keys].flat())),
  z.array(keyRegistrationSchema).check(z.minLength(1, { error: 'must have a key' })),
)

/** A partner's registration as JSON: an element of the file that `PARTNERS_FILE` names. */
export const partnerRegistrationSchema = z
  .strictObject({
    /** The service's own identifier of the partner; part of every employee's and organization's identity. */
    id: textLike(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens'),
    /** Its name, for people. */
    name: z.string().check(z.minLength(1), z.maxLength(256)),
    /** The only `iss` that its tokens may carry. Without it: any, or none. */
    issuer: z.optional(z.string().check(z.minLength(1), z.maxLength(1024), z.refine(isBare, unbare))),
    /** `lenient` also takes tokens without `exp`, `iat`, `aud` and `jti`; each is still used once. */
    policy: z._default(z.enum(['strict', 'lenient']), 'strict'),
    /** An inactive partner is refused with 403 once its signature was verified. */
    isActive: z._default(z.boolean(), true),
    /** Any number, with overlapping validity, for the rotation of certificates and secrets. */
    keys: keysSchema,
    appearance: z._default(appearanceSchema, {}),
    /** The answer to a post whose `Accept` prefers neither HTML nor JSON: the page, or a one-time URL. */
    answer: z._default(z.enum(['page', 'link']), 'page'),
    /** Origins whose pages may show the answer in a frame, such as `https://journal.example`. Empty: it is never framed. */
    frameOrigins: z._default(z.array(originSchema).check(z.maxLength(20)), []),
    /** Origins whose scripts may post and get the one-time URL as JSON, as for `frameOrigins`. Empty: a form must post. */
    scriptOrigins: z._default(z.array(originSchema).check(z.maxLength(20)), []),
    /** Posts of one minute. */
    maxPostsPerMinute: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 6000),
    /** Whether its `contact.id` is the person's national identity number (spec 2.1), where there is no `contact.ssn`. */
    contactIdIsSsn: z._default(z.boolean(), false),
    /**
     * Whether a token without `iat`, `exp` and `jti` is taken each time it is posted, by anybody, for ever. For a test partner with a
     * sample token that never changes; needs the policy `lenient`.
     */
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
  )

/** See {@link partnerRegistrationSchema}. */
export type PartnerRegistration = z.input<typeof partnerRegistrationSchema>

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
