import type { RefusalCode } from '@service-link/jwt-payload'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import { importPKCS8, SignJWT } from 'jose'
import { createMemorySessions } from '../../src/testing/index.ts'
import {
  createTestReceiver,
  payload,
  post,
  type TestReceiver,
  type TestReceiverOptions,
  url,
} from './receiver.ts'

/** A refused request, with the receiver that refuses it. The reference shows the first of each code. */
export interface RefusedPost {
  readonly code: RefusalCode
  /** The fault of the request. */
  readonly name: string
  readonly make: (receiver: TestReceiver) => Request | Promise<Request>
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

export const refusedPosts: readonly RefusedPost[] = [
  {
    code: 'ERR_NOT_NAVIGATED',
    name: 'a script of a page that cannot read the answer',
    make: async r => post(await r.sign(), scripted),
  },
  {
    code: 'ERR_NOT_NAVIGATED',
    name: 'a one-time URL as the image of a page',
    make: () => new Request(openUrl, { headers: scripted }),
    isOpening: true,
  },
  {
    code: 'ERR_METHOD_NOT_ALLOWED',
    name: 'GET',
    make: () => new Request(url),
    headers: { allow: 'POST' },
  },
  {
    code: 'ERR_METHOD_NOT_ALLOWED',
    name: 'PUT with a form',
    make: async r =>
      new Request(url, { method: 'PUT', body: new URLSearchParams({ payload: await r.sign() }) }),
    headers: { allow: 'POST' },
  },
  {
    code: 'ERR_METHOD_NOT_ALLOWED',
    name: 'HEAD of a one-time URL',
    make: () => new Request(openUrl, { method: 'HEAD' }),
    isOpening: true,
    headers: { allow: 'GET' },
  },
  {
    code: 'ERR_MEDIA_TYPE',
    name: 'JSON',
    make: () => raw('{}', { 'content-type': 'application/json' }),
  },
  {
    code: 'ERR_MEDIA_TYPE',
    name: 'JSON of a script of another origin',
    make: () => raw('{}', { ...crossOrigin, 'content-type': 'application/json' }),
    headers: readable,
  },
  {
    code: 'ERR_MEDIA_TYPE',
    name: 'a multipart form',
    make: () => new Request(url, { method: 'POST', body: new FormData() }),
  },
  { code: 'ERR_MEDIA_TYPE', name: 'no media type', make: () => raw(new Blob(['payload=x']), {}) },
  {
    code: 'ERR_MEDIA_TYPE',
    name: 'a compressed form',
    make: () => raw('payload=x', { ...form, 'content-encoding': 'gzip' }),
  },
  {
    code: 'ERR_PAYLOAD_TOO_LARGE',
    name: 'more than 64 KiB',
    make: () => raw(`payload=${'a'.repeat(64 * 1024)}`, form),
  },
  {
    code: 'ERR_PAYLOAD_TOO_LARGE',
    name: 'more than 64 KiB of other fields',
    make: () => raw(`a=${'a'.repeat(65_600)}&payload=x`, form),
  },
  { code: 'ERR_PAYLOAD_MISSING', name: 'another field', make: () => raw('token=x', form) },
  { code: 'ERR_PAYLOAD_MISSING', name: 'an empty body', make: () => raw('', form) },
  { code: 'ERR_PAYLOAD_MISSING', name: 'an empty field', make: () => raw('payload=', form) },
  { code: 'ERR_PAYLOAD_MISSING', name: 'a field in another case', make: () => raw('Payload=x', form) },
  { code: 'ERR_PAYLOAD_MALFORMED', name: 'text that is no token', make: () => raw('payload=hello', form) },
  {
    code: 'ERR_PAYLOAD_MALFORMED',
    name: 'two fields',
    make: async r => raw(`payload=${await r.sign()}&payload=${await r.sign()}`, form),
  },
  {
    code: 'ERR_PAYLOAD_MALFORMED',
    name: 'a token that a template has escaped as HTML',
    make: async r => post(`&quot;${await r.sign()}&quot;`),
  },
  { code: 'ERR_PAYLOAD_MALFORMED', name: 'bytes that are no text', make: () => raw('payload=%ff%fe', form) },
  {
    code: 'ERR_CROSS_ORIGIN',
    name: 'a script of a page of another origin',
    make: async r => post(await r.sign(), crossOrigin),
    headers: readable,
  },
  {
    code: 'ERR_CROSS_ORIGIN',
    name: 'such a script, with an unsigned token of nobody',
    make: () => post('eyJhbGciOiJub25lIn0.e30.', crossOrigin),
    headers: readable,
  },
  {
    code: 'ERR_PAYLOAD_ALGORITHM',
    name: 'an unsigned token of nobody',
    make: () => post('eyJhbGciOiJub25lIn0.e30.'),
  },
  {
    code: 'ERR_PAYLOAD_ALGORITHM',
    name: 'RS256 where an EC key is registered',
    make: async r => post(await r.sign({}, { key: 'rsa', keyId: 'p256' })),
  },
  {
    code: 'ERR_PAYLOAD_KEY',
    name: 'a kid of nobody',
    make: async r => post(await r.sign({}, { keyId: 'nobody' })),
  },
  {
    code: 'ERR_PAYLOAD_KEY',
    name: 'an iss of nobody',
    make: async () => post(await lenientToken({ iss: 'https://nobody.example' })),
  },
  {
    code: 'ERR_PAYLOAD_KEY',
    name: 'neither kid nor iss, with several partners',
    make: async () => post(await lenientToken({})),
  },
  {
    code: 'ERR_PAYLOAD_KEY',
    name: 'the kid of one partner and the iss of another',
    make: async r => post(await r.sign({}, { key: 'secret', issuer: 'https://other.example' })),
  },
  {
    code: 'ERR_PAYLOAD_SIGNATURE',
    name: 'the kid of another key',
    make: async r => post(await r.sign({}, { key: 'otherRsa', keyId: 'rsa' })),
  },
  {
    code: 'ERR_PARTNER_INACTIVE',
    name: 'a partner that is not active',
    make: async r => post(await r.sign({}, { key: 'p384' })),
  },
  {
    code: 'ERR_PAYLOAD_TIMES',
    name: 'no exp',
    make: async r => post(await strictTokenAt(r, { iat: 0 })),
  },
  {
    code: 'ERR_PAYLOAD_TIMES',
    name: 'an hour from iat to exp',
    make: async r => post(await strictTokenAt(r, { iat: 0, exp: 3600 })),
  },
  {
    code: 'ERR_PAYLOAD_EXPIRED',
    name: 'an old token',
    make: async r => {
      const token = await r.sign()
      r.pass(121)
      return post(token)
    },
  },
  {
    code: 'ERR_PAYLOAD_EXPIRED',
    name: 'lenient: an iat of more than a day ago, without exp',
    make: async r => {
      const iat = Math.floor(r.clock().getTime() / 1000)
      r.pass(86_400 + 60)
      return post(await lenientToken({ iss: lenientIssuer, iat }))
    },
  },
  {
    code: 'ERR_PAYLOAD_NOT_YET_VALID',
    name: 'a clock that is two minutes ahead',
    make: async r => post(await strictTokenAt(r, { iat: 120, exp: 180 })),
  },
  {
    code: 'ERR_PAYLOAD_AUDIENCE',
    name: 'another address',
    make: async r => post(await r.sign({}, { audience: 'https://sso.example/' })),
  },
  {
    code: 'ERR_PAYLOAD_SHAPE',
    name: 'no contact.id',
    make: async () => post(await lenientToken({ iss: lenientIssuer, contact: { firstname: 'Ola' } })),
  },
  {
    code: 'ERR_RATE_LIMITED',
    name: 'a second post in a minute, where one was agreed',
    make: async r => {
      await r.receive(post(await r.sign()))
      return post(await r.sign())
    },
    options: { strictPartner: { maxPostsPerMinute: 1 } },
    headers: { 'retry-after': '60' },
  },
  {
    code: 'ERR_PAYLOAD_REPLAYED',
    name: 'a token used before',
    make: async r => {
      const token = await r.sign()
      await r.receive(post(token))
      return post(token)
    },
  },
  {
    code: 'ERR_UNAVAILABLE',
    name: 'a store that cannot be reached',
    make: async r => post(await r.sign(), { cookie: 'any=1' }),
    options: {
      sessions: {
        ...createMemorySessions(),
        current: () => Promise.reject(new Error('no connection for Nordmann')),
      },
    },
    headers: { 'retry-after': '5' },
  },
  { code: 'ERR_LINK_GONE', name: 'a URL of nobody', make: () => new Request(openUrl), isOpening: true },
  {
    code: 'ERR_LINK_GONE',
    name: 'a URL that was opened before',
    make: async r => {
      const answer = await r.receive(post(await r.sign(), { accept: 'application/json' }))
      const address = /https:[^"]+/.exec(await answer.text())?.[0] ?? ''
      await r.open(new Request(address))
      return new Request(address)
    },
    isOpening: true,
  },
]

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
