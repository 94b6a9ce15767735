import type { RefusalCode } from '@service-link/jwt-payload'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import { importPKCS8, SignJWT } from 'jose'
import { createMemorySessions } from '../../src/testing/index.ts'
import {
  createTestReceiver,
  linkOf,
  payload,
  post,
  type TestReceiver,
  type TestReceiverOptions,
  url,
} from './receiver.ts'

/** A refused request, with the receiver that refuses it. The reference shows the first of each code. */
export interface RefusedPost extends More {
  readonly code: RefusalCode
  /** The fault of the request. */
  readonly name: string
  readonly make: (receiver: TestReceiver) => Request | Promise<Request>
}

/** What a row has besides. */
interface More {
  readonly options?: TestReceiverOptions
  /** Headers of the answer besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Requests a one-time URL instead of posting. */
  readonly isOpening?: boolean
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

export function raw(body: string | Blob, headers: Record<string, string>): Request {
  return new Request(url, { method: 'POST', headers, body })
}

/** A token signed with the lenient partner's key, without its kid. */
export function lenientToken(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(keyText('secret', 'secret'), 'base64url'))
}

/** A token of the strict partner with exactly these claims. */
async function strictToken(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: signingKey('p256').kid ?? '' })
    .sign(await importPKCS8(keyText('p256', 'privatePem'), 'ES256'))
}

const lenientIssuer = 'https://lenient.example'
const openUrl = `${url}/open/${'x'.repeat(43)}`

/** A browser's headers of a request that a page cannot read, such as for an image. */
export const scripted = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }

/** A browser's headers of a request by a script of another site's page. */
export const crossOrigin = {
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'cross-site',
  origin: 'https://elsewhere.example',
}

/** Headers of an answer that such a script may read. */
export const readable = {
  'access-control-allow-origin': crossOrigin.origin,
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
  vary: 'Accept, Origin',
}

const rows: readonly (readonly [code: RefusalCode, name: string, make: RefusedPost['make'], more?: More])[] =
  [
    [
      'ERR_NOT_NAVIGATED',
      'a script of a page that cannot read the answer',
      async r => post(await r.sign(), scripted),
    ],
    [
      'ERR_NOT_NAVIGATED',
      'a one-time URL as the image of a page',
      () => new Request(openUrl, { headers: scripted }),
      { isOpening: true },
    ],
    ['ERR_METHOD_NOT_ALLOWED', 'GET', () => new Request(url), { headers: { allow: 'POST' } }],
    [
      'ERR_METHOD_NOT_ALLOWED',
      'HEAD of a one-time URL',
      () => new Request(openUrl, { method: 'HEAD' }),
      { isOpening: true, headers: { allow: 'GET' } },
    ],
    ['ERR_MEDIA_TYPE', 'JSON', () => raw('{}', { 'content-type': 'application/json' })],
    [
      'ERR_MEDIA_TYPE',
      'JSON of a script of another origin',
      () => raw('{}', { ...crossOrigin, 'content-type': 'application/json' }),
      { headers: readable },
    ],
    ['ERR_MEDIA_TYPE', 'a multipart form', () => new Request(url, { method: 'POST', body: new FormData() })],
    ['ERR_MEDIA_TYPE', 'no media type', () => raw(new Blob(['payload=x']), {})],
    ['ERR_MEDIA_TYPE', 'a compressed form', () => raw('payload=x', { ...form, 'content-encoding': 'gzip' })],
    ['ERR_PAYLOAD_TOO_LARGE', 'more than 64 KiB', () => raw(`payload=${'a'.repeat(64 * 1024)}`, form)],
    ['ERR_PAYLOAD_MISSING', 'another field', () => raw('token=x', form)],
    ['ERR_PAYLOAD_MISSING', 'an empty body', () => raw('', form)],
    ['ERR_PAYLOAD_MISSING', 'an empty field', () => raw('payload=', form)],
    ['ERR_PAYLOAD_MISSING', 'a field in another case', () => raw('Payload=x', form)],
    ['ERR_PAYLOAD_MALFORMED', 'text that is no token', () => raw('payload=hello', form)],
    [
      'ERR_PAYLOAD_MALFORMED',
      'two fields',
      async r => raw(`payload=${await r.sign()}&payload=${await r.sign()}`, form),
    ],
    [
      'ERR_PAYLOAD_MALFORMED',
      'a token that a template has escaped as HTML',
      async r => post(`&quot;${await r.sign()}&quot;`),
    ],
    [
      'ERR_CROSS_ORIGIN',
      'a script of a page of another origin',
      async r => post(await r.sign(), crossOrigin),
      { headers: readable },
    ],
    [
      'ERR_CROSS_ORIGIN',
      'such a script, with an unsigned token of nobody',
      () => post('eyJhbGciOiJub25lIn0.e30.', crossOrigin),
      { headers: readable },
    ],
    ['ERR_PAYLOAD_ALGORITHM', 'an unsigned token of nobody', () => post('eyJhbGciOiJub25lIn0.e30.')],
    [
      'ERR_PAYLOAD_ALGORITHM',
      'RS256 where an EC key is registered',
      async r => post(await r.sign({}, { key: 'rsa', keyId: 'p256' })),
    ],
    ['ERR_PAYLOAD_KEY', 'a kid of nobody', async r => post(await r.sign({}, { keyId: 'nobody' }))],
    [
      'ERR_PAYLOAD_SIGNATURE',
      'the kid of another key',
      async r => post(await r.sign({}, { key: 'otherRsa', keyId: 'rsa' })),
    ],
    [
      'ERR_PARTNER_INACTIVE',
      'a partner that is not active',
      async r => post(await r.sign({}, { key: 'p384' })),
    ],
    ['ERR_PAYLOAD_TIMES', 'no exp', async r => post(await strictTokenAt(r, { iat: 0 }))],
    [
      'ERR_PAYLOAD_EXPIRED',
      'an old token',
      async r => {
        const token = await r.sign()
        r.pass(121)
        return post(token)
      },
    ],
    [
      'ERR_PAYLOAD_NOT_YET_VALID',
      'a clock that is two minutes ahead',
      async r => post(await strictTokenAt(r, { iat: 120, exp: 180 })),
    ],
    [
      'ERR_PAYLOAD_AUDIENCE',
      'another address',
      async r => post(await r.sign({}, { audience: 'https://sso.example/' })),
    ],
    [
      'ERR_PAYLOAD_SHAPE',
      'no contact.id',
      async () => post(await lenientToken({ iss: lenientIssuer, contact: { firstname: 'Ola' } })),
    ],
    [
      'ERR_END_NOT_ALLOWED',
      'an end, which the registration does not allow',
      async r => post(await r.sign(Object({ contact: undefined, end: 'context' }))),
    ],
    [
      'ERR_RATE_LIMITED',
      'a second post in a minute, where one was agreed',
      async r => {
        await r.receive(post(await r.sign()))
        return post(await r.sign())
      },
      { options: { strictPartner: { maxPostsPerMinute: 1 } }, headers: { 'retry-after': '60' } },
    ],
    [
      'ERR_PAYLOAD_REPLAYED',
      'a token used before',
      async r => {
        const token = await r.sign()
        await r.receive(post(token))
        return post(token)
      },
    ],
    [
      'ERR_UNAVAILABLE',
      'a store that cannot be reached',
      async r => post(await r.sign(), { cookie: 'any=1' }),
      {
        options: {
          sessions: {
            ...createMemorySessions(),
            current: () => Promise.reject(new Error('no connection for Nordmann')),
          },
        },
        headers: { 'retry-after': '5' },
      },
    ],
    ['ERR_LINK_GONE', 'a URL of nobody', () => new Request(openUrl), { isOpening: true }],
    [
      'ERR_LINK_GONE',
      'a URL that was opened before',
      async r => {
        const address = await linkOf(r)
        await r.open(new Request(address))
        return new Request(address)
      },
      { isOpening: true },
    ],
  ]

export const refusedPosts: readonly RefusedPost[] = rows.map(([code, name, make, more]) => ({
  code,
  name,
  make,
  ...more,
}))

/** Times in seconds from the receiver's now. */
async function strictTokenAt(
  { clock }: TestReceiver,
  times: { readonly iat: number; readonly exp?: number },
): Promise<string> {
  const now = Math.floor(clock().getTime() / 1000)
  const { iat, exp } = times
  return strictToken({
    aud: url,
    jti: crypto.randomUUID(),
    iat: now + iat,
    ...(exp === undefined ? {} : { exp: now + exp }),
  })
}

/** The refusal of {@link RefusedPost}, in the requested representation. */
export async function askRefused(
  { make, options = {}, isOpening = false }: RefusedPost,
  accept: string,
): Promise<{ readonly receiver: TestReceiver; readonly request: Request; readonly response: Response }> {
  const receiver = await createTestReceiver(options)
  const made = await make(receiver)
  const headers = new Headers(made.headers)
  headers.set('accept', accept)
  const request = new Request(made, { headers })
  const sent = request.clone()
  return { receiver, request: sent, response: await receiver[isOpening ? 'open' : 'receive'](request) }
}
