import { type RefusalCode, refusalStatus } from '../errors/refusals.ts'

/** What a partner's developer is told of a code. */
interface RefusalFacts {
  /** Heading of the page, and `title` of the problem. */
  readonly title: string
  /** What is wrong. */
  readonly meaning: string
  /** What to change, and where. */
  readonly change: string
  /** `no`: the same will be refused again; `new payload`: one that is signed anew may be taken; `wait`: after `Retry-After`. */
  readonly retry: 'no' | 'new payload' | 'wait, then a new payload'
}

/** Every refusal of the receiver (design: partner link), in the order of the checks. */
export const refusalTable: Readonly<Record<RefusalCode, RefusalFacts>> = {
  ERR_NOT_NAVIGATED: {
    title: 'Not opened by the user',
    meaning:
      'A page’s script, image or the like sent it (`Sec-Fetch-Mode` is not `navigate`), which cannot show the answer.',
    change: 'Submit a form, or send it from a server. Open a one-time URL in a window.',
    retry: 'no',
  },
  ERR_METHOD_NOT_ALLOWED: {
    title: 'Method not allowed',
    meaning: 'The address takes another method, which the header `Allow` names.',
    change: 'Post the form. A one-time URL is opened with GET.',
    retry: 'no',
  },
  ERR_MEDIA_TYPE: {
    title: 'The body is not a form',
    meaning: 'The body is not `application/x-www-form-urlencoded`, or it is compressed.',
    change: 'Send a form, as a browser does, without `Content-Encoding`.',
    retry: 'no',
  },
  ERR_PAYLOAD_TOO_LARGE: {
    title: 'The payload is too large',
    meaning: 'The body has more than 65,536 bytes.',
    change: 'Send fewer or shorter claims, and no other fields.',
    retry: 'no',
  },
  ERR_PAYLOAD_MISSING: {
    title: 'The request cannot be read',
    meaning: 'The form has no field `payload`, or an empty one.',
    change: 'Put the signed JWT into a field of that name, in lower case.',
    retry: 'no',
  },
  ERR_PAYLOAD_MALFORMED: {
    title: 'The request cannot be read',
    meaning:
      'Not three base64url parts, not JSON objects, a member twice, `crit` in the header, nested too deep, more than 4,096 members and list elements, more than one field `payload`, or the body broke off.',
    change: 'Send one compact JWS as the library makes it, with claims as in the reference.',
    retry: 'no',
  },
  ERR_PAYLOAD_ALGORITHM: {
    title: 'The payload is not accepted',
    meaning: '`alg` is unknown or `none`, or does not fit the registered key.',
    change: 'Sign with an algorithm of the key, spelled as in the reference.',
    retry: 'no',
  },
  ERR_PAYLOAD_KEY: {
    title: 'The payload is not accepted',
    meaning:
      'No partner or key is registered for `kid` or `iss`, `iss` is another partner’s, the certificate is not valid now (`detail` has its thumbprint), or the key set’s key of that `kid` is weak or damaged.',
    change: 'Send `kid` or `iss` as registered, or have the new key registered.',
    retry: 'no',
  },
  ERR_PAYLOAD_SIGNATURE: {
    title: 'The payload is not accepted',
    meaning: 'Another key than the registered one signed it, or it was changed after signing.',
    change: 'Sign with the key whose public part (or secret) is registered.',
    retry: 'no',
  },
  ERR_PARTNER_INACTIVE: {
    title: 'The partner is not active',
    meaning: 'The signature is right, but the service has switched the partner off.',
    change: 'Ask the service.',
    retry: 'no',
  },
  ERR_PAYLOAD_TIMES: {
    title: 'The payload is not accepted',
    meaning:
      '`iat` or `exp` is missing, is not a number of seconds (milliseconds and text are refused), or they are more than 300 s apart.',
    change: 'Send both as seconds since 1970, at most 300 apart.',
    retry: 'no',
  },
  ERR_PAYLOAD_EXPIRED: {
    title: 'The payload is not accepted',
    meaning: '`exp` has passed by 60 s or more; or, without `exp`, `iat` by a day or more.',
    change: 'Sign when the user clicks, and check the clock of the signing server.',
    retry: 'new payload',
  },
  ERR_PAYLOAD_NOT_YET_VALID: {
    title: 'The payload is not accepted',
    meaning: '`iat` or `nbf` is more than 60 s ahead.',
    change: 'Check the clock of the signing server.',
    retry: 'new payload',
  },
  ERR_PAYLOAD_AUDIENCE: {
    title: 'The payload is not accepted',
    meaning: '`aud` is missing, or another address; it is compared exactly, the last slash too.',
    change: 'Send the address that is posted to; `detail` shows it.',
    retry: 'no',
  },
  ERR_PAYLOAD_SHAPE: {
    title: 'Claims are not accepted',
    meaning: 'Claims, `jti` among them, are missing or not acceptable: `issues` names each.',
    change: 'Send the claims as in the reference.',
    retry: 'no',
  },
  ERR_RATE_LIMITED: {
    title: 'Too many requests',
    meaning:
      'The partner posted more in this minute than agreed, or too many posts from this network address were refused.',
    change: 'Wait for the seconds of the header `Retry-After`.',
    retry: 'wait, then a new payload',
  },
  ERR_PAYLOAD_REPLAYED: {
    title: 'The payload is not accepted',
    meaning: 'The token, or its `jti`, was used before.',
    change: 'Sign a new one, with a `jti` of its own, for each post.',
    retry: 'new payload',
  },
  ERR_UNAVAILABLE: {
    title: 'The service is not available',
    meaning: 'The service, or the partner’s JWKS address, cannot be reached at the moment.',
    change: 'Wait for the seconds of the header `Retry-After`.',
    retry: 'wait, then a new payload',
  },
  ERR_LINK_GONE: {
    title: 'The link is gone',
    meaning: 'The one-time URL was opened before, is older than 60 s, or never existed.',
    change: 'Open the URL at once, in the user’s browser, and let nothing else fetch it.',
    retry: 'new payload',
  },
}

/** The codes in the order of the checks. */
export const refusalCodes: readonly RefusalCode[] = Object.keys(refusalTable).filter(
  (code): code is RefusalCode => Object.hasOwn(refusalStatus, code),
)
