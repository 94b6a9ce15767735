// Entry for servers of Node: `node:http`, Express, Fastify. Withheld: the reading of requests, because the handler is all of it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PayloadMalformedError } from '@service-link/jwt-payload'
import { discoveryOf } from '@service-link/jwt-payload/steps'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import type { Receiver } from '../create-receiver.ts'
import { openBaseOf } from '../receiver-options.ts'

/** A request of `node:http`, with the members that Express and body parsers add. */
export interface NodeRequest extends IncomingMessage {
  /** The whole address, where a framework shortens `url` to the part below a mount point. */
  readonly originalUrl?: string | undefined
  /** The body, if a parser has read the request: the form's fields, its text or its bytes. */
  readonly body?: unknown
}

/** Options of {@link nodeHandler}. */
export interface NodeHandlerOptions {
  /**
   * Path of the post at this server, if a proxy changes paths. Default: the path of the receiver's `url`. The public address is
   * always the receiver's `url`; forwarded headers are not read.
   */
  readonly path?: string | undefined
}

/**
 * Answers a request. Rejects only if it is not of `node:http`. Calls `next` for all other paths, or answers 404 without it. Gives
 * `next` an error if the answer cannot be written.
 */
export type NodeHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/**
 * Makes a handler of the post, its one-time URLs and the discovery, for `node:http`, Express 4 and 5, and Fastify. The receiver's limits and
 * time-outs hold. A client that goes away aborts the request's `signal`.
 *
 * Mount it before body parsers. Behind one it uses `request.body`, if the form in it has the request's `Content-Length`. Otherwise
 * it refuses the post with `ERR_PAYLOAD_MALFORMED`, because parsers lose fields.
 *
 * @throws {ParameterError} if a parameter is of another type, an option is not known, or no request can have `path`
 * @example
 * ```ts
 * import { nodeHandler } from '@service-link/receiver/node'
 *
 * app.use(nodeHandler(receiver))
 * ```
 */
export function nodeHandler(receiver: Receiver, options: NodeHandlerOptions = {}): NodeHandler {
  if (typeof receiver === 'function')
    throw new ParameterError('receiver', 'the receiver itself, not one of its methods')
  assertParameter('receiver', receiver, 'object', {
    urls: 'list',
    receive: 'function',
    open: 'function',
    describe: 'function',
  })
  assertParameter('options', options, 'closed', { path: 'text?' })
  const { path: mounted } = options
  if (mounted !== undefined && !isPath(mounted))
    throw new ParameterError('options.path', 'a path such as /partner/payload, without a query or a pattern')
  const mounts = receiver.urls.map(url => {
    const path = mounted ?? new URL(url).pathname
    return { url, path, openBase: openBaseOf(path), discovery: discoveryOf(path) }
  })
  return async (request, response, next = error => answerNothing(response, error)) => {
    if (typeof response?.once !== 'function')
      throw new ParameterError('response', 'a ServerResponse of node:http', foreignResponse)
    const [path = ''] = (request.originalUrl ?? request.url ?? '').split('?', 1)
    const mount = mounts.find(
      one => path === one.path || path === one.discovery || path.startsWith(one.openBase),
    )
    if (!mount) return next()
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    try {
      const [url, answerTo] =
        path === mount.path
          ? [mount.url, receiver.receive]
          : path === mount.discovery
            ? [discoveryOf(mount.url), receiver.describe]
            : [`${openBaseOf(mount.url)}${path.slice(mount.openBase.length)}`, receiver.open]
      const answer = await answerTo(webRequestOf(request, url, gone.signal))
      await send(answer, response)
      // A body that is not read would hold up the connection's next request.
      request.resume()
    } catch (error) {
      next(error)
    }
  }
}

const foreignResponse =
  'must be a ServerResponse of node:http. Write handler(request.raw, reply.raw) with Fastify, handler(context.req, context.res) with Koa.'

/** Whether a request's path can be this one: they come without a query, and with escapes. */
function isPath(path: string): boolean {
  return path.startsWith('/') && !/[*:{]/.test(path) && new URL(`http://localhost${path}`).pathname === path
}

/** Replaces the headers of middlewares, such as their Content-Security-Policy, and keeps their cookies. */
async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  response.statusCode = answer.status
  for (const [name, value] of answer.headers)
    if (name === 'set-cookie') response.appendHeader(name, value)
    else response.setHeader(name, value)
  response.setHeader('content-length', body.byteLength)
  response.end(body)
}

function answerNothing(response: ServerResponse, error: unknown): void {
  if (!response.headersSent) response.writeHead(error === undefined ? 404 : 500)
  response.end()
}

/** `Request` knows no TRACE. The receiver refuses every method but these alike. */
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** Makes the request of the platform. Nothing is read yet. */
function webRequestOf(request: NodeRequest, url: string, signal: AbortSignal): Request {
  const headers = new Headers()
  // `request.headers` leaves duplicates out.
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!name.startsWith(':')) headers.append(name, value)
  }
  const { method = '' } = request
  if (method !== 'POST')
    return new Request(url, { method: methods.includes(method) ? method : 'PUT', headers, signal })
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
