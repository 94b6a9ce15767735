import { isThisMachine } from '@service-link/protocol-core/person'
import { waitFor } from '@service-link/protocol-core/time'
import { readBoundedBody } from './read-body.ts'

/** Fetches as the platform does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Why a document of another server cannot be used, as a clause. */
export class DocumentError extends Error {
  /** Status of the answer; `undefined` if there was none. */
  readonly status: number | undefined

  constructor(clause: string, status?: number) {
    super(clause)
    this.status = status
  }
}

/** Whether nobody on the way can write the answer: https, or http of this machine. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}

/**
 * Fetches a text that decides on trust. Redirects are not followed: it comes from the given address alone.
 *
 * @param signal ends the wait after `timeoutMs`
 * @throws {DocumentError} when it is not there, in time and within its size
 */
export async function fetchDocument(
  url: string,
  {
    accept,
    maxBytes,
    fetch,
    signal,
    timeoutMs,
  }: {
    readonly accept: string
    readonly maxBytes: number
    readonly fetch: Fetch
    readonly signal: AbortSignal
    readonly timeoutMs: number
  },
): Promise<string> {
  let text: string | undefined
  let status: number
  try {
    // A custom fetch may ignore the signal.
    const response = await waitFor(fetch(url, { headers: { accept }, redirect: 'manual', signal }), signal)
    status = response.status
    if (status === 200) text = await readBoundedBody(response, maxBytes, signal)
    else response.body?.cancel().catch(() => undefined)
  } catch {
    throw new DocumentError(
      signal.aborted ? `it was not there within ${timeoutMs} ms` : 'it cannot be reached',
    )
  }
  if (status !== 200)
    throw new DocumentError(
      status >= 300 && status < 400 ? 'it redirects' : `it answers with status ${status}`,
      status,
    )
  if (text === undefined) throw new DocumentError(`it is larger than ${maxBytes} bytes`)
  return text
}
