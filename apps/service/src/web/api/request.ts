import { presentLanguage } from '@service-link/ui/page-language'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { hc } from 'hono/client'
import type { Api } from '../../server/create-app.ts'

/** Whether this page is in a frame of another page. It then has a separate session and asks for no password. */
export const isInFrame = typeof window === 'object' && window.self !== window.top

/** A request that was refused or not answered. */
export class ApiFailure extends Error {
  /** Status of the answer; 0 without an answer. */
  readonly status: number
  /** The service's code; `ERR_UNREACHABLE` without an answer. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
  }
}

/** Whether an answer was kept from this account, because another one had asked. Nothing of it may be told. */
export const isForOtherAccount = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'ERR_OTHER_ACCOUNT'

let expectedAccount: string | undefined

/** Sets the account of the page; the service refuses to answer for another. Returns whether it changed. */
export function expectAccount(accountId: string | undefined): boolean {
  const isOther = expectedAccount !== undefined && expectedAccount !== accountId
  expectedAccount = accountId
  return isOther
}

const timeoutMs = 20_000

/** A request that takes longer is a reason to look whether the service answers at all; in milliseconds. */
const slowMs = 700

let onTrouble = () => {}

/** Calls when a request is slow or gets no answer. */
export function watchRequests(listener: () => void): void {
  onTrouble = listener
}

/** Sends a request as this page: a frame has another session, and the service refuses to answer for another account. */
const send: typeof fetch = async (address, { headers, signal: given, ...init } = {}) => {
  const named = new Headers(headers)
  named.set('accept', 'application/json')
  if (!named.has('accept-language')) named.set('accept-language', presentLanguage())
  if (isInFrame) named.set('x-framed', '1')
  if (expectedAccount !== undefined) named.set('x-expected-account', expectedAccount)
  const slow = setTimeout(onTrouble, slowMs)
  const askedBy = expectedAccount
  let answer: Response
  try {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = given ? AbortSignal.any([given, timeout]) : timeout
    answer = await fetch(address, { ...init, credentials: 'same-origin', signal, headers: named })
  } catch {
    // The caller has given it up.
    given?.throwIfAborted()
    onTrouble()
    throw unreachable()
  } finally {
    clearTimeout(slow)
  }
  // What one account asked for is never shown to the next one.
  if (askedBy !== undefined && askedBy !== expectedAccount)
    throw new ApiFailure(409, 'ERR_OTHER_ACCOUNT', 'Somebody else is signed in in this browser now.')
  return answer
}

/** The service's routes. Read their answers with {@link answerOf}. */
export const api = hc<Api>('/api', { fetch: send })

interface Answered<Answer> extends Pick<Response, 'ok' | 'status' | 'text'> {
  json(): Promise<Answer>
}

/** Reads a route's answer; throws `ApiFailure` if the service refuses or cannot be reached. */
export async function answerOf<Answer>(asked: Promise<Answered<Answer>>): Promise<Answer> {
  const answer = await asked
  if (answer.ok) {
    return answer.json().catch(() => {
      throw unreachable()
    })
  }
  const { code, title, message } = await answer
    .text()
    .then(JSON.parse)
    .catch(() => ({}))
  throw new ApiFailure(
    answer.status,
    code ?? `HTTP_${answer.status}`,
    title ?? message ?? 'The service could not do that.',
  )
}

/**
 * The page of the service got no answer.
 *
 * @remedy Check the connection.
 * @retry yes
 * @seenBy user
 */
const unreachable = () =>
  new ApiFailure(0, 'ERR_UNREACHABLE', 'The service cannot be reached. Check the connection.')

/** Makes the store of a page's data. Queries without an answer are repeated twice. */
export function createQueryClient(onFailure: (error: ApiFailure) => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiFailure) onFailure(error)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network a request fails at once, instead of waiting for one unseen.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 15_000,
        retry: (count, error) =>
          count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      },
    },
  })
}
