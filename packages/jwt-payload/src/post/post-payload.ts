import { assertParameter } from '@service-link/protocol-core/errors'
import { type EndClaims, postedEndSchema, postedLinkSchema, readBy } from '@service-link/protocol-core/person'
import { Deadline, milliseconds, waitFor } from '@service-link/protocol-core/time'
import { isRefusalCode } from '../errors/refusals.ts'
import { isCompactJwt, isHttpUrl, noToken, parseJson } from '../http/page-text.ts'
import { readBoundedBody } from '../http/read-body.ts'
import { textOf } from '../verify/read-token.ts'
import {
  assertPostAddress,
  PostOptionError,
  PostRefusedError,
  PostReplyError,
  PostTimeoutError,
  PostUnreachableError,
} from './post-errors.ts'

const maxReplyBytes = 1024 * 1024

/** Options of {@link postPayload}. */
export interface PostPayloadOptions {
  /** Its reason is thrown when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** From the start to the last byte, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Default: the platform's. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** The address for the user's browser. */
export interface PostedLink {
  /** Absolute, http or https. Valid for 60 seconds and one use. */
  readonly url: string
}

/**
 * Posts a signed payload from a server (spec 4.1, the direct call), and asks for a one-time URL. Redirect the
 * user's browser to it, or open it in a web view of your own. Never start a program with it: other users of the machine can read
 * arguments. Follows no redirect: a token goes only to the address that it was signed for.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`
 * @param token compact JWT from `signPayload`
 * @throws {PostRefusedError} if the service refuses, with its code, status and request id
 * @throws {PostTimeoutError} if the whole reply does not arrive in time
 * @throws {PostUnreachableError} if the service cannot be reached
 * @throws {PostReplyError} if the answer is a redirect, no http(s) URL, or larger than 1 MiB
 * @throws {PostOptionError} if `url` is not an absolute http(s) URL or carries a user name or password, or `token`
 * is no compact JWT (a private key by mistake would leave the machine); nothing is sent
 * @throws {ParameterError} if an option is of another type or not known; nothing is sent
 * @throws the signal's reason, when it aborts
 * @example
 * ```ts
 * import { postPayload } from '@service-link/jwt-payload'
 *
 * const { url } = await postPayload('https://sso.example/partner/payload', token)
 * ```
 */
export async function postPayload(
  url: string,
  token: string,
  options: PostPayloadOptions = {},
): Promise<PostedLink> {
  const { response, body } = await postToken(url, token, options)
  return readLink(response, body)
}

/** What a signed end has ended. */
export interface PostedEnd {
  /** As in the claim `end`. */
  readonly ended: EndClaims['end']
}

/**
 * Posts a signed end from a server: {@link postPayload} for a token with the claim `end`. The service then answers that it has taken
 * it, and not whether the employee was signed in.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`
 * @param token compact JWT from `signPayload`
 * @throws the errors of {@link postPayload}
 * @example
 * ```ts
 * import { postEnd } from '@service-link/jwt-payload'
 *
 * const { ended } = await postEnd('https://sso.example/partner/payload', token)
 * ```
 */
export async function postEnd(
  url: string,
  token: string,
  options: PostPayloadOptions = {},
): Promise<PostedEnd> {
  const { response, body } = await postToken(url, token, options)
  const { value } = readBy(postedEndSchema, jsonOf(response, body))
  if (value) return value
  throw new PostReplyError('The service did not answer what has ended.')
}

async function postToken(url: string, token: string, options: PostPayloadOptions) {
  assertPostAddress('url', url)
  if (!isCompactJwt(token)) throw new PostOptionError(`token is ${noToken(token)}`)
  assertParameter('options', options, 'closed', {
    fetch: 'function?',
    signal: 'signal?',
    timeoutMs: milliseconds,
  })
  const { signal, timeoutMs = 30_000, fetch = globalThis.fetch } = options
  signal?.throwIfAborted()
  using limit = new Deadline(timeoutMs, signal).limit(() => new PostTimeoutError(timeoutMs))
  let response: Response
  let body: string | undefined
  try {
    const asked = fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json, application/problem+json' },
      body: new URLSearchParams({ payload: token }),
      redirect: 'manual',
      signal: limit.signal,
    })
    // A given fetch may ignore the signal.
    response = await waitFor(asked, limit.signal)
    body = await readBoundedBody(response, maxReplyBytes, limit.signal)
  } catch (error) {
    limit.signal.throwIfAborted()
    // Only its code is told: an error of fetch may quote the request.
    const reason = codeOf(error)
    throw new PostUnreachableError(
      new URL(url).host,
      reason === undefined || holdsTokenText(reason, token) ? undefined : reason,
    )
  }
  if (body === undefined)
    throw new PostReplyError(`The service's answer is larger than ${maxReplyBytes} bytes.`)
  if (response.status >= 300 && response.status < 400)
    throw new PostReplyError('The service answered with a redirect. Use (and sign for) the final address.')
  if (!response.ok) throw readRefusal(response, body, token)
  return { response, body }
}

/** The code of an error or of its cause, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string | undefined {
  const codes: readonly unknown[] = [Object(Object(error).cause).code, Object(error).code]
  return codes.find(code => typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code))?.toString()
}

const jsonOf = (response: Response, body: string) =>
  isOfType(response, 'application/json') ? parseJson(body) : undefined

function readLink(response: Response, body: string): PostedLink {
  const url = readBy(postedLinkSchema, jsonOf(response, body)).value?.url
  if (url === undefined || !isHttpUrl(url))
    throw new PostReplyError('The service did not answer with an http or https URL.')
  // `URL` escapes all characters that could control a terminal.
  return { url: new URL(url).href }
}

/** Longest `detail` of a refusal in an error's message, in UTF-16 code units. */
const maxDetailLength = 1000

/**
 * Reads a refusal. Something other than the service may have answered, and the message is logged. So its words are cut,
 * lose control characters, and are dropped if they hold a part of the token, whose claims are only encoded.
 */
function readRefusal(response: Response, body: string, token: string): PostRefusedError {
  const problem = isOfType(response, 'application/problem+json') ? parseJson(body) : undefined
  const { type, code, detail: told, requestId } = Object(problem)
  const detail = readDetail(textOf(told) ?? '', token)
  const ids = [textOf(requestId), response.headers.get('x-request-id')]
  return new PostRefusedError({
    status: response.status,
    refusalCode: isRefusalCode(code) ? code : undefined,
    type: readType(textOf(type) ?? '', token),
    requestId: ids.find(id => isId(id, token)) ?? undefined,
    retryAfterSeconds: readRetryAfter(response.headers),
    ...(detail === '' ? {} : { detail }),
  })
}

function readDetail(text: string, token: string): string {
  const detail = text.slice(0, maxDetailLength)
  return holdsTokenText(detail, token) ? '' : detail.replace(/\p{Cc}+/gu, ' ')
}

function readType(text: string, token: string): string | undefined {
  const isSafe = text.length <= maxDetailLength && isHttpUrl(text) && !holdsTokenText(text, token)
  return isSafe ? new URL(text).href : undefined
}

function isId(id: string | null | undefined, token: string): boolean {
  return !!id && /^[\w.:-]{1,128}$/.test(id) && !holdsTokenText(id, token)
}

/** Reads a number of seconds (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

function isOfType(response: Response, type: string): boolean {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}

/** Shortest run of characters that two texts do not share by chance. */
const runLength = 16

/** Whether a bounded text holds a part of the token, also cut or broken into lines, or the beginning of any token. */
function holdsTokenText(text: string, token: string): boolean {
  // `{"` in base64url, perhaps with white space between: the beginning of each header and of most claims.
  if (text.includes(token) || /eyJ|\be(?:y[A-D]|w[k-r0-3])\w/.test(text)) return true
  const within = lettersOf(text)
  const whole = lettersOf(token)
  for (let start = 0; start + runLength <= within.length; start++)
    if (whole.includes(within.slice(start, start + runLength))) return true
  return false
}

function lettersOf(text: string): string {
  return text.replace(/[^\w-]+/g, '')
}
