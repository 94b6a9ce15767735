import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { limitRefusals, payloadPath, receiverRoutes } from './partner-link.ts'

/** The answer to what is posted: a status, perhaps with a code that scripts may read. */
function answerTo(body: string): Response {
  const [status = '', code] = body.split(' ')
  if (code)
    return Response.json(
      { code },
      { status: Number(status), headers: { 'access-control-allow-origin': '*' } },
    )
  const refusal = { status: 401, headers: { 'x-of-the-refusal': '1' } }
  return new Response(null, body === 'good' ? {} : /^\d/.test(body) ? { status: Number(status) } : refusal)
}

function createApp() {
  const clock = { ms: 0 }
  let looks = 0
  const app = new Hono()
    .use(limitRefusals({ maxRefused: 3, maxLooks: 2, now: () => clock.ms }))
    .post('/', async c => {
      looks++
      return answerTo(await c.req.text())
    })
  const post = async (body: string, address = 'a') =>
    (await app.request('/', { method: 'POST', body, headers: { 'x-client-address': address } })).status
  return { app, clock, post, looks: () => looks }
}

test('after too many refused posts an address is told to wait, others are not', async () => {
  const { app, post, looks } = createApp()
  for (let count = 0; count < 3; count++) expect(await post('bad')).toBe(401)
  for (let count = 0; count < 4; count++) expect(await post('bad')).toBe(429)
  // Three refused requests, and two that were checked in this second.
  expect(looks()).toBe(5)
  expect(await post('bad', 'b')).toBe(401)
  const answer = await app.request('/', { method: 'POST', headers: { 'x-client-address': 'a' } })
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await answer.json()).toMatchObject({ code: 'ERR_RATE_LIMITED', status: 429 })
  const headers = { 'x-client-address': 'a', accept: 'text/html' }
  const page = await app.request('/', { method: 'POST', headers })
  expect([page.status, page.headers.get('retry-after')]).toEqual([429, '60'])
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await page.text()).toContain('ERR_RATE_LIMITED')
})

test('what is acceptable gets through an address that is told to wait, at any number', async () => {
  const { app, post } = createApp()
  for (let count = 0; count < 3; count++) await post('bad')
  for (let count = 0; count < 10; count++) expect(await post('good')).toBe(200)
  const posted = { method: 'POST', body: 'bad', headers: { 'x-client-address': 'a' } }
  const refused = await app.request('/', posted)
  expect([refused.status, refused.headers.get('x-of-the-refusal')]).toEqual([429, null])
})

test('of an address that is told to wait so many refused posts a second are looked at', async () => {
  const { clock, post, looks } = createApp()
  for (let count = 0; count < 3; count++) await post('bad')
  expect(await Promise.all(['bad', 'bad', 'bad', 'bad', 'good'].map(body => post(body)))).toEqual([
    429, 429, 429, 429, 429,
  ])
  expect(looks()).toBe(5)
  clock.ms = 1000
  expect([await post('good'), await post('bad'), await post('bad'), await post('good')]).toEqual([
    200, 429, 429, 429,
  ])
  expect(looks()).toBe(8)
})

test('accepted posts are not counted, and a new window begins at none', async () => {
  const { clock, post } = createApp()
  for (let count = 0; count < 10; count++) expect(await post('good')).toBe(200)
  for (let count = 0; count < 3; count++) await post('bad')
  clock.ms = 60_000
  expect(await post('good')).toBe(200)
})

test.each(['401', '403', '403 ERR_PARTNER_INACTIVE', '410', '422'])(
  'a refusal with %s is counted: it cost a check or a question',
  async body => {
    const { post } = createApp()
    for (let count = 0; count < 3; count++) expect(await post(body)).toBe(Number(body.slice(0, 3)))
    expect(await post(body)).toBe(429)
  },
)

test.each(['400', '403 ERR_CROSS_ORIGIN', '405', '413', '415', '429', '503'])(
  'a refusal with %s is not counted: nobody was asked, or it was not the caller’s fault',
  async body => {
    const { post } = createApp()
    for (let count = 0; count < 4; count++) expect(await post(body)).toBe(Number(body.slice(0, 3)))
    expect(await post('good')).toBe(200)
  },
)

test('addresses of one IPv6 network count as one', async () => {
  const { post } = createApp()
  for (let count = 0; count < 3; count++) await post('bad', '2001:db8:1:2::1')
  expect(await post('bad', '2001:db8:1:2:ffff::9')).toBe(429)
  expect(await post('bad', '2001:db8:1:3::1')).toBe(401)
})

afterEach(() => void vi.useRealTimers())

test('one-time URLs that are guessed count with the posts', async () => {
  // No window may begin meanwhile.
  vi.useFakeTimers({ toFake: ['performance'] })
  const answer = async () => new Response(null, { status: 410 })
  const app = receiverRoutes({ receive: answer, open: answer, describe: () => new Response() })
  const ask = async (path: string, method = 'GET') => (await app.request(path, { method })).status
  for (let count = 0; count < 1000; count++) await ask(`${payloadPath}/open/guessed`)
  const statuses = new Set<number>()
  for (let count = 0; count < 20; count++) statuses.add(await ask(payloadPath, 'POST'))
  expect(statuses).toEqual(new Set([429]))
})
