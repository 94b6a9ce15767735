import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
/** Whether this page is in a frame of another page. It then has a separate session and asks for no password. */
export const isInFrame = typeof window === 'object' && window.self !== window.top

/** A request that was refused or not answered. */
export class ApiFailure extends Error {
  /** Status of the answer; 0 without an answer. */
  readonly status: number
  /** The service's code; `ERR_UNREACHABLE` without an answer. */
  readonly code: string
  readonly candidateIds: readonly number[]

  constructor(status: number, code: string, message: string, candidateIds: readonly number[] = []) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
    this.candidateIds = candidateIds
  }
}

let expectedAccount: string | undefined

/** Sets the account of the page; the service refuses to answer for another. Returns whether it changed. */
export function expectAccount(accountId: string | undefined): boolean {
  const isOther = expectedAccount !== undefined && expectedAccount !== accountId
  expectedAccount = accountId
  return isOther
}

const timeoutMs = 20_000

/** Asks the service. */
export async function request<Answer>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await send(method, path, body, headers)
  if (answer.ok) {
    return answer.json().catch(() => {
      throw unreachable()
    })
  }
  const { code, title, message, candidateIds } = await answer.json().catch(() => ({}))
  throw new ApiFailure(
    answer.status,
    code ?? `HTTP_${answer.status}`,
    title ?? message ?? 'The service could not do that.',
    candidateIds,
  )
}

async function send(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  try {
    return await fetch(`/api${path}`, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isInFrame ? { 'x-framed': '1' } : {}),
        ...(expectedAccount === undefined ? {} : { 'x-expected-account': expectedAccount }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw unreachable()
  }
}

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
      queries: {
        staleTime: 15_000,
        retry: (count, error) =>
          count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      },
    },
  })
}
