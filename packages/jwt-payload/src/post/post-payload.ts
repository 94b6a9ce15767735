import { assertParameter } from '@service-link/protocol-core/errors'
import { waitFor } from '@service-link/protocol-core/time'
import { isCompactJwt, isHttpUrl, isTimeoutMs, maxTimeoutMs } from '../http/post-input.ts'
import { readBoundedText } from '../http/read-bounded-text.ts'
import { PostOptionError, PostReplyError, PostTimeoutError, PostUnreachableError } from './post-errors.ts'
import { isOfType, memberOf, parseObject } from './read-json.ts'
import { readRefusal } from './read-refusal.ts'

/** Largest reply that is read, in bytes: a page with all of a web app in it is far smaller. */
const maxReplyBytes = 16 * 1024 * 1024

/** What the reply is to be: the web page, or a one-time URL that opens it. */
export type PostAccept = 'page' | 'json'

/** Options of {@link postPayload}. */
export interface PostPayloadOptions<Accept extends PostAccept = PostAccept> {
  /** `json` for a server that then opens the URL in the user's browser. */
  readonly accept: Accept
  /** Gives up; the reason is thrown. */
  readonly signal?: AbortSignal
  /** From the start to the last byte, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number
  /** Default: the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The web page, as sent. */
export interface PostedPage {
  readonly html: string
  /** `Set-Cookie` values that belong to the page. */
  readonly setCookies: readonly string[]
}

/** Where the user's browser is to go. */
export interface PostedLink {
  /** Absolute, http or https. Valid for 60 seconds and one use. */
  readonly url: string
}

/** What {@link postPayload} answers, by `accept`. */
export type PostResult<Accept extends PostAccept> = Accept extends 'json' ? PostedLink : PostedPage

/**
 * Posts a signed payload from a server (specification 4.1, the direct call). Redirects are not followed: a token goes to the
 * address that it was signed for, and to no other.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`
 * @param token compact JWT from `signPayload`
 * @throws {PostRefusedError} when the service refuses, with its code, status and request id
 * @throws {PostTimeoutError} when the whole reply was not there in time
 * @throws {PostUnreachableError} when the service cannot be reached
 * @throws {PostReplyError} when the answer is a redirect, or not the page or http(s) URL that was asked for, or larger than
 * 16 MiB
 * @throws {PostOptionError} when `url` is not an absolute http(s) URL or carries a user name or password, `token` is no compact
 * JWT (a private key, sent by mistake, would leave the machine), or `timeoutMs` cannot be right; nothing is sent
 * @throws {ParameterError} when an option is of another type; nothing is sent
 * @throws the signal's reason, when it aborts
 * @example
 * ```ts
 * import { postPayload } from '@service-link/jwt-payload'
 *
 * const { url } = await postPayload('https://sso.example/partner/payload', token, { accept: 'json' })
 * ```
 */
export async function postPayload<Accept extends PostAccept>(
  url: string,
  token: string,
  options: PostPayloadOptions<Accept>,
): Promise<PostResult<Accept>>
export async function postPayload(
  url: string,
  token: string,
  options: PostPayloadOptions,
): Promise<PostedPage | PostedLink> {
  assertAddress(url)
  if (!isCompactJwt(token)) throw new PostOptionError('token must be a compact JWT, as signPayload makes it.')
  assertParameter('options', options, 'object', { accept: ['page', 'json'], fetch: 'function?' })
  assertParameter('options.signal', options.signal, 'object?', { throwIfAborted: 'function' })
  const { accept, signal, timeoutMs = 30_000, fetch = globalThis.fetch } = options
  if (!isTimeoutMs(timeoutMs))
    throw new PostOptionError(`timeoutMs must be an integer from 1 to ${maxTimeoutMs}.`)
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout
  let response: Response
  let body: string | undefined
  try {
    const asked = fetch(url, {
      method: 'POST',
      headers: { accept: acceptHeader[accept] },
      body: new URLSearchParams({ payload: token }),
      redirect: 'manual',
      signal: either,
    })
    // Also where the one that was given does not mind the signal.
    response = await waitFor(asked, either)
    body = await waitFor(readReply(response), either)
  } catch {
    // What fetch says may quote the request.
    signal?.throwIfAborted()
    throw timeout.aborted
      ? new PostTimeoutError(timeoutMs)
      : new PostUnreachableError('The service cannot be reached.')
  }
  if (body === undefined)
    throw new PostReplyError(`The service's answer is larger than ${maxReplyBytes} bytes.`)
  if (response.status >= 300 && response.status < 400)
    throw new PostReplyError('The service answered with a redirect. Use (and sign for) the final address.')
  if (!response.ok) throw readRefusal(response, body, token)
  return accept === 'json' ? readLink(response, body) : readPage(response, body)
}

function assertAddress(url: string): void {
  if (!isHttpUrl(url))
    throw new PostOptionError('url must be the absolute http or https address of the receiver.')
  const { username, password } = new URL(url)
  if (username || password) throw new PostOptionError('url must not carry a user name or password.')
}

/** `undefined` for one that is too large. */
async function readReply(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const text = await readBoundedText(reader, maxReplyBytes)
  // Not awaited: a service that stalls could hold it up.
  if (text === undefined) reader.cancel().catch(() => undefined)
  return text
}

const acceptHeader: Readonly<Record<PostAccept, string>> = {
  page: 'text/html;q=0.9, application/problem+json',
  json: 'application/json, application/problem+json',
}

function readPage(response: Response, html: string): PostedPage {
  if (!isOfType(response, 'text/html'))
    throw new PostReplyError('The service did not answer with a web page.')
  return { html, setCookies: response.headers.getSetCookie() }
}

function readLink(response: Response, body: string): PostedLink {
  const url = isOfType(response, 'application/json') ? memberOf(parseObject(body), 'url') : undefined
  if (url === undefined || !isHttpUrl(url))
    throw new PostReplyError('The service did not answer with an http or https URL.')
  // As a URL writes it, with everything escaped that could drive a terminal.
  return { url: new URL(url).href }
}
