import { assertParameter } from '@service-link/protocol-core/errors'
import { type ReceiverFacts, readBy, receiverFactsSchema } from '@service-link/protocol-core/person'
import { Deadline, milliseconds } from '@service-link/protocol-core/time'
import { UnavailableError } from '../errors/refusals.ts'
import { DocumentError, fetchDocument, isSecureUrl } from '../http/fetch-document.ts'
import { parseJson } from '../http/page-text.ts'
import { assertAddress, discoveryOf } from '../http/receiver-address.ts'
import { PostReplyError } from './post-errors.ts'

/** Options of {@link discoverReceiver}. */
export interface DiscoverReceiverOptions {
  /** Its reason is thrown when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Longest wait for the whole answer, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number | undefined
  /** Default: the platform's. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** The facts need 1 KiB. */
const maxFactsBytes = 64 * 1024

/**
 * Asks a receiver what it takes: `GET {sso_url}/.well-known/partner-link`, without a token. Follows no redirect. Over plain http it
 * asks this machine alone, because anybody on the way could write the answer.
 *
 * @param address of the post, `{sso_url}/partner/payload`
 * @returns `undefined` if the receiver does not tell: 404, or plain http
 * @throws {UnavailableError} if it cannot be reached in time, redirects, or answers with another status
 * @throws {PostReplyError} if the answer is something else, such as a web page
 * @throws {ParameterError} if `address` is no address of a receiver, or an option is of another type or not known
 * @throws the signal's reason, when it aborts
 * @example
 * ```ts
 * import { discoverReceiver } from '@service-link/jwt-payload'
 *
 * const facts = await discoverReceiver('https://sso.example/partner/payload')
 * console.log(facts?.limits.spanSeconds, facts?.algorithms)
 * ```
 */
export async function discoverReceiver(
  address: string,
  options: DiscoverReceiverOptions = {},
): Promise<ReceiverFacts | undefined> {
  assertAddress('address', address)
  assertParameter('options', options, 'closed', {
    fetch: 'function?',
    signal: 'signal?',
    timeoutMs: milliseconds,
  })
  const { signal, timeoutMs = 5000, fetch = globalThis.fetch } = options
  signal?.throwIfAborted()
  const url = discoveryOf(address)
  if (!isSecureUrl(new URL(url))) return undefined
  const late = () => new DocumentError(`it was not there within ${timeoutMs} ms`)
  using limit = new Deadline(timeoutMs, signal).limit(late)
  let text: string
  try {
    const asked = { accept: 'application/json', maxBytes: maxFactsBytes, fetch, timeoutMs }
    text = await fetchDocument(url, { ...asked, signal: limit.signal })
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof DocumentError)) throw error
    if (error.status === 404) return undefined
    throw new UnavailableError(`The receiver does not say what it takes: ${error.message}.`)
  }
  const { value, issues } = readBy(receiverFactsSchema, parseJson(text) ?? null)
  if (value) return value
  const [{ path, problem } = { path: '', problem: 'is no JSON' }] = issues
  throw new PostReplyError(
    `The receiver does not say what it takes: in the answer of ${url} ${path || 'the JSON'} ${problem}.`,
  )
}
