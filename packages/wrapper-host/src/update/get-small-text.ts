import type { IncomingMessage } from 'node:http'
import { isThisMachine } from '@service-link/protocol-core'

/** The site answered without the text. The message is a clause for people, without an address. */
export class NoTextError extends Error {}

/** Options of {@link getSmallText}. */
export interface GetSmallTextOptions {
  readonly userAgent: string
  /** The answer is cut off there. */
  readonly maxBytes: number
  readonly maxRedirects: number
  /** Gives up. */
  readonly signal: AbortSignal
}

/**
 * Gets the beginning of a short text over http, without cookies and credentials. Redirects are followed to safe addresses
 * without a log-in only. No connection stays open.
 *
 * @param url without user info
 * @throws {NoTextError} when the answer does not have the text
 * @throws the network's error, or an `AbortError`
 */
export async function getSmallText(url: URL, options: GetSmallTextOptions): Promise<string> {
  let target = url
  for (let redirects = 0; redirects <= options.maxRedirects; redirects++) {
    const response = await get(target, options)
    try {
      if (response.statusCode === 200) return await readBeginning(response, options.maxBytes)
      target = redirectOf(response, target)
    } finally {
      // Ends the connection.
      response.destroy()
    }
  }
  throw new NoTextError('the site redirects too often')
}

async function get(url: URL, { userAgent, signal }: GetSmallTextOptions): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const headers = { 'user-agent': userAgent, accept: 'text/plain', 'cache-control': 'no-cache' }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  client.get(url, { headers, signal }, resolve).on('error', reject)
  return promise
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL {
  if (![301, 302, 303, 307, 308].includes(statusCode))
    throw new NoTextError(`the site answered with status ${statusCode}`)
  const to = headers.location ? URL.parse(headers.location, from) : null
  if (!to || !isSafeUrl(to) || (from.protocol === 'https:' && to.protocol !== 'https:'))
    throw new NoTextError('the site redirects to an address that is not https')
  // Node would send them as a log-in.
  if (to.username !== '' || to.password !== '')
    throw new NoTextError('the site redirects to an address with a log-in')
  return to
}

async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Whether nobody can change the answer on its way: https, or http to this machine. */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}
