import type { IncomingMessage } from 'node:http'
import { readBoundedBody } from '@service-link/jwt-payload/steps'
import { isServiceLinkError, ParameterError } from '@service-link/protocol-core/errors'
import type { TestService } from './test-service.ts'
import { type TestTokenKind, testTokenKinds } from './test-tokens.ts'

/** An answer to a test in any language, for JSON. */
interface TestAnswer {
  readonly status: number
  readonly value: unknown
}

const paths = 'POST /partner/payload, GET /deliveries, GET /refusals, POST /tokens/<kind>'

/** Answers what a test in another language asks its service. */
export async function answerTest(
  request: IncomingMessage,
  service: TestService,
  signal: AbortSignal,
): Promise<TestAnswer> {
  const { host, origin } = new URL(service.audience)
  if (isForeign(request, host, origin))
    return failure(403, `Ask from a program, at ${origin}; pages of other sites get no answer.`, 'ERR_ORIGIN')
  const [path, query] = (request.url ?? '').split('?', 2)
  const asked = `${request.method} ${path}`
  const [, kind] = /^POST \/tokens\/([\w.-]+)$/.exec(asked) ?? []
  try {
    if (asked === 'GET /deliveries' || asked === 'GET /refusals') {
      const { all, next } = listsOf(service)[asked]
      const wait = new URLSearchParams(query).get('wait')
      return { status: 200, value: wait === null ? all() : [await next({ timeoutMs: waitOf(wait), signal })] }
    }
    if (kind === undefined)
      return failure(404, `There is nothing at this method and path. Known: ${paths}.`, 'ERR_NOT_FOUND')
    if (!isKind(kind)) {
      const known = testTokenKinds.join(', ')
      const sentence = `No token is made of this kind. Known: ${known}. The request causes other refusals.`
      return failure(404, sentence, 'ERR_NOT_FOUND', { kinds: testTokenKinds })
    }
    return { status: 200, value: { token: await service.makeToken(kind, await readClaims(request, signal)) } }
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    return failure(error instanceof ParameterError ? 400 : 504, error.message, error.code)
  }
}

/** A page of another site could make tokens and swallow deliveries, and read them under a name that it points to this machine. */
const isForeign = ({ headers }: IncomingMessage, host: string, origin: string) =>
  headers.host !== host ||
  (headers.origin ?? origin) !== origin ||
  /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))

const failure = (status: number, error: string, code: string, more: object = {}): TestAnswer => ({
  status,
  value: { error, code, ...more },
})

const listsOf = (service: TestService) => ({
  'GET /deliveries': { all: service.deliveries, next: service.nextDelivery },
  'GET /refusals': { all: service.refusals, next: service.nextRefusal },
})

const isKind = (kind: string): kind is TestTokenKind => testTokenKinds.some(known => known === kind)

/** Longest wait of a request, in milliseconds. */
const maxWaitMs = 60_000

function waitOf(text: string): number {
  const timeoutMs = Number(text)
  if (/^\d{1,5}$/.test(text) && timeoutMs >= 1 && timeoutMs <= maxWaitMs) return timeoutMs
  throw new ParameterError('wait', `a whole number of milliseconds from 1 to ${maxWaitMs}`)
}

const maxClaimBytes = 128 * 1024

/** Reads the claims of the body. No body is no claim. */
async function readClaims(request: IncomingMessage, signal: AbortSignal): Promise<Record<string, unknown>> {
  // An iterator that ends leaves the connection open, for the answer.
  const body = ReadableStream.from(request.iterator({ destroyOnReturn: false }))
  const text = await readBoundedBody({ body }, maxClaimBytes, signal)
  if (text === '') return {}
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw new ParameterError('claims', `a JSON object of at most ${maxClaimBytes} bytes`)
  }
}
