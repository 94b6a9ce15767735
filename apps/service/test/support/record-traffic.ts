import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { recordSecret, recordSecretsOfForm, recordSecretsOfJson, recordText } from './record.ts'

// Imported or preloaded for its effect: every HTTP server of the process then records the secrets in its traffic and the
// service's error answers.

/** Largest inspected body in characters; the service accepts no larger ones. */
const maxLength = 3_000_000

const bodies = new WeakMap<object, string>()

function collect(message: object, chunk: unknown): void {
  const body = bodies.get(message) ?? ''
  if (body.length < maxLength && (typeof chunk === 'string' || chunk instanceof Uint8Array))
    bodies.set(message, body + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')))
}

const push = IncomingMessage.prototype.push
IncomingMessage.prototype.push = function (chunk: unknown, ...rest) {
  // A request to a server; answers to the process's own requests have a status.
  if (this.method != null) {
    if (chunk === null) recordRequest(this, bodies.get(this) ?? '')
    else collect(this, chunk)
  }
  return push.call(this, chunk, ...rest)
}

function recordRequest({ url = '/', headers }: IncomingMessage, body: string): void {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const [, handle] = /\/open\/([\w-]{16,})$/.exec(pathname) ?? []
  if (handle !== undefined) recordSecret('handle', handle)
  recordSecretsOfForm(searchParams)
  for (const pair of headers.cookie?.split(';') ?? []) recordCookie(pair.trim())
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    recordSecretsOfForm(new URLSearchParams(body))
  else recordSecretsOfJson(body)
}

function recordCookie(pair: string): void {
  const [, value = ''] = /^[^=]+=([^;]*)/.exec(pair) ?? []
  const plain = decodeEscapes(value)
  for (const secret of [value, plain, plain.split('.')[0] ?? ''])
    if (secret.length >= 16) recordSecret('cookie', secret)
}

/** A test may cut an escape in two; such a text stays unchanged. */
function decodeEscapes(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const writeHead = ServerResponse.prototype.writeHead
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  const headers = args.at(-1)
  if (typeof headers === 'object' && headers !== null) Object.assign(extraHeaders(this), lowerCased(headers))
  return Reflect.apply(writeHead, this, args)
}

const headersOf = new WeakMap<object, OutgoingHttpHeaders>()

function extraHeaders(response: ServerResponse): OutgoingHttpHeaders {
  const headers = headersOf.get(response) ?? {}
  headersOf.set(response, headers)
  return headers
}

function lowerCased(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const write = ServerResponse.prototype.write
ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
  collect(this, args[0])
  return Reflect.apply(write, this, args)
}

const end = ServerResponse.prototype.end
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  collect(this, args[0])
  const result = Reflect.apply(end, this, args)
  recordResponse(this, bodies.get(this) ?? '')
  return result
}

function recordResponse(response: ServerResponse, body: string): void {
  const header = (name: string): OutgoingHttpHeader | undefined =>
    response.getHeader(name) ?? headersOf.get(response)?.[name]
  for (const cookie of [header('set-cookie') ?? []].flat()) recordCookie(String(cookie))
  const [, boot] = /id="service-link-boot">([^<]*)</.exec(body) ?? []
  if (boot !== undefined) recordSecretsOfJson(boot)
  const [, handle] = /\/partner\/payload\/open\/([\w-]{16,})/.exec(body) ?? []
  if (handle !== undefined) recordSecret('handle', handle)
  // Other servers of a test, such as the partner's, have no request ids.
  if (response.statusCode >= 400 && header('x-request-id') !== undefined) recordText('error answer', body)
}
