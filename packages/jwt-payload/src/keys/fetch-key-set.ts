import { readBoundedText } from '../http/read-bounded-text.ts'
import { waitFor } from '../http/wait-for.ts'

/** Largest key set that is read, in bytes: 64 RSA keys of 8,192 bits with their certificates are smaller. */
const maxKeySetBytes = 512 * 1024

/** Why a key set could not be had, as a clause. Never leaves the package: the partner's developer is told by a refusal. */
export class KeySetError extends Error {}

/** Options of {@link fetchKeySet}. */
export interface FetchKeySetOptions {
  readonly timeoutMs: number
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * Fetches the text of a key set. Redirects are not followed: keys come from the address that was registered.
 *
 * @throws {KeySetError} when it is not there in time, not there at all, or larger than 512 KiB
 */
export async function fetchKeySet(url: string, { timeoutMs, fetch }: FetchKeySetOptions): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let text: string | undefined
  let status: number
  try {
    const asked = fetch(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      signal: timeout,
    })
    // Also where the one that was given does not mind the signal.
    const response = await waitFor(asked, timeout)
    status = response.status
    text = await waitFor(readText(response), timeout)
  } catch {
    throw new KeySetError(
      timeout.aborted ? `it was not there within ${timeoutMs} ms` : 'it cannot be reached',
    )
  }
  if (status !== 200)
    throw new KeySetError(status >= 300 && status < 400 ? 'it redirects' : `it answers with status ${status}`)
  if (text === undefined) throw new KeySetError(`it is larger than ${maxKeySetBytes} bytes`)
  return text
}

/** `undefined` for one that is too large. */
async function readText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const text = response.status === 200 ? await readBoundedText(reader, maxKeySetBytes) : undefined
  // Not awaited: a server that stalls could hold it up.
  if (text === undefined) reader.cancel().catch(() => undefined)
  return text
}
