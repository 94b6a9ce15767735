import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answerError } from '../../src/server/http/api.ts'
import { logRequests } from '../../src/server/http/logger.ts'
import { limitRefusals } from '../../src/server/partner-link/partner-link.ts'
import { logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { keepLog } from '../support/log.ts'
import { post, sign } from '../support/post.ts'
import { startService } from '../support/service.ts'

const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

/** The log lines of one request. */
type LogLine = Readonly<Record<string, unknown>>

/** Sends one request and returns the ids in its header, body and log lines. */
async function idsOf(lines: readonly string[], ask: () => Promise<Response>) {
  const before = lines.length
  const answer = await ask()
  const header = answer.headers.get('x-request-id')
  const isProblem = answer.headers.get('content-type') === 'application/problem+json'
  const body: { requestId?: unknown } = isProblem ? await answer.json() : {}
  await answer.body?.cancel().catch(() => {})
  const logged = lines.slice(before).map((line): LogLine => JSON.parse(line))
  return { status: answer.status, header, body: body.requestId, logged }
}

test('an unknown address is answered and logged under one id', async () => {
  const { logger, lines } = keepLog()
  await using running = await startService({ logger })
  const ingrid = await logInAs(running.service, accounts.ingrid)
  const api = await idsOf(lines, () => ingrid.send('GET', '/api/none'))
  expect(api).toMatchObject({ status: 404, header: uuid, body: api.header })
  expect(api.logged).toMatchObject([{ msg: 'request', status: 404, requestId: api.header }])
  const asset = await idsOf(lines, () => ingrid.send('GET', '/assets/none.js'))
  expect(asset).toMatchObject({ status: 404, header: uuid })
  expect(asset.logged).toMatchObject([{ msg: 'request', status: 404, requestId: asset.header }])
})

test('an answer of the partner link is logged under the partner’s id', async () => {
  const { logger, lines } = keepLog()
  await using running = await startService({ logger })
  const token = await sign(running)
  const taken = await idsOf(lines, () => post(running, token))
  expect(taken).toMatchObject({ status: 200, header: uuid })
  const refused = await idsOf(lines, () => post(running, token, 'application/problem+json'))
  expect(refused).toMatchObject({ status: 401, header: uuid, body: refused.header })
  for (const { status, header, logged } of [taken, refused])
    expect(logged).toMatchObject([
      { msg: 'partner link', requestId: header },
      { msg: 'request', status, requestId: header },
    ])
})

test.each([
  ['of several lines', 'could not write\nthe row of Øvergård\n    with 12857948368'],
  ['that looks like a stack', 'first\n    at Øvergård (12857948368)'],
  ['of one line', 'no Øvergård, 12857948368'],
])(
  'an unforeseen failure with a message %s is logged by its place alone, under one id',
  async (_name, message) => {
    const { logger, lines } = keepLog()
    const app = new Hono().use(logRequests(logger)).get('/', () => {
      throw new TypeError(message)
    })
    app.onError(answerError(logger))
    const { status, header, body, logged } = await idsOf(lines, async () => app.request('/'))
    expect({ status, header, body }).toEqual({ status: 500, header: uuid, body: header })
    expect(logged).toMatchObject([
      { msg: 'request failed', requestId: header },
      { msg: 'request', status: 500, requestId: header },
    ])
    expect(lines.join('')).toContain('request-id.test.ts')
    expect(lines.join('')).not.toMatch(/Øvergård|12857948368/)
  },
)

test('an address over its limit gets a request id, for posts that are read or not', async () => {
  const { logger, lines } = keepLog()
  const inner = crypto.randomUUID()
  const app = new Hono()
    .use(logRequests(logger))
    .use(limitRefusals({ maxRefused: 0, maxLooks: 1 }))
    .post('/', c => c.text('', 401, { 'x-request-id': inner }))
  const looked = await idsOf(lines, async () => app.request('/', { method: 'POST' }))
  expect(looked).toMatchObject({ status: 429, header: inner, body: inner })
  const limited = await idsOf(lines, async () => app.request('/', { method: 'POST' }))
  expect(limited).toMatchObject({ status: 429, header: uuid, body: limited.header })
  expect(limited.logged).toMatchObject([{ msg: 'request', status: 429, requestId: limited.header }])
})
