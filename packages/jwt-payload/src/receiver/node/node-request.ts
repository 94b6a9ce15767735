import type { IncomingMessage } from 'node:http'
import { PayloadMalformedError } from '../../errors/refusals.ts'

/** A request of `node:http`, with the members that Express and body parsers add. */
export interface NodeRequest extends IncomingMessage {
  /** The whole address, where a framework shortens `url` to the part below a mount point. */
  readonly originalUrl?: string
  /** The body, if a parser has read the request: the form's fields, its text or its bytes. */
  readonly body?: unknown
}

/** `Request` knows no TRACE. The receiver refuses every method but these alike. */
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'POST']

/** Makes the request of the platform. Nothing is read yet. */
export function webRequestOf(request: NodeRequest, url: string, signal: AbortSignal): Request {
  const headers = new Headers()
  // `request.headers` leaves duplicates out.
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!name.startsWith(':')) headers.append(name, value)
  }
  const { method = '' } = request
  if (method !== 'POST')
    return new Request(url, { method: methods.includes(method) ? method : 'OPTIONS', headers, signal })
  return new Request(url, { method, headers, signal, body: bodyOf(request), duplex: 'half' })
}

function bodyOf(request: NodeRequest): ReadableStream | string | Uint8Array {
  // An iterator that ends leaves the connection open, for the answer.
  if (!request.readableDidRead) return ReadableStream.from(request.iterator({ destroyOnReturn: false }))
  const { body } = request
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return formOf(body, Number(request.headers['content-length'])) ?? failingBody()
}

/**
 * Writes a parsed form as it was sent; `undefined` if that is not certain. Parsers lose duplicates, and take `payload[]` for
 * `payload`. Without escapes a form has its least length, so a form of the request's length has lost nothing.
 */
function formOf(fields: unknown, length: number): string | undefined {
  const pairs = Object.entries(Object(fields)).flatMap(([name, values]) =>
    [values].flat().map(value => [name, String(value)]),
  )
  const form = new URLSearchParams(pairs).toString()
  return form.length === length && !form.includes('%') ? form : undefined
}

/** The receiver reads a body after its other checks, and answers this refusal then. */
function failingBody(): ReadableStream {
  const message =
    'A body parser of the service read this form first and may have lost a part of it. Send the field payload alone, with a Content-Length, or have the service mount the receiver before its body parsers.'
  return new ReadableStream({ start: controller => controller.error(new PayloadMalformedError(message)) })
}
