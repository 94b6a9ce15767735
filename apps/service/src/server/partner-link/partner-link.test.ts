import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { expect, test } from 'vitest'
import { limitRefusals } from './partner-link.ts'

/** Statuses by the body that is posted. */
const statusOf: Readonly<Record<string, ContentfulStatusCode>> = {
  good: 200,
  '400': 400,
  '403': 403,
  '405': 405,
  '410': 410,
  '413': 413,
  '415': 415,
  '422': 422,
  '429': 429,
  '503': 503,
}

function createApp(maxCallers = 100) {
  const clock = { ms: 0 }
  let looks = 0
  const app = new Hono()
    .use(
      limitRefusals({
        maxRefused: 3,
        maxLooks: 2,
        maxCallers,
        now: () => clock.ms,
      }),
    )
    .post('/', async c => {
      looks++
      const status = statusOf[await c.req.text()] ?? 401
      return c.body(null, status, status === 401 ? { 'x-of-the-refusal': '1' } : {})
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

test.each(['401', '403', '410', '422'])(
  'a refusal with %s is counted: it cost a check or a question',
  async body => {
    const { post } = createApp()
    for (let count = 0; count < 3; count++) expect(await post(body)).toBe(Number(body))
    expect(await post(body)).toBe(429)
  },
)

test.each(['400', '405', '413', '415', '429', '503'])(
  'a refusal with %s is not counted: nobody was asked, or it was not the caller’s fault',
  async body => {
    const { post } = createApp()
    for (let count = 0; count < 4; count++) expect(await post(body)).toBe(Number(body))
    expect(await post('good')).toBe(200)
  },
)

test.each([
  ['one IPv4 address', '192.0.2.1', '192.0.2.1', true],
  ['neighbors in IPv4', '192.0.2.1', '192.0.2.2', false],
  ['one IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['neighboring IPv6 networks', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['IPv4 and the same in IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
])('%s count as one: %s, %s: %s', async (_name, first, second, isOne) => {
  const { post } = createApp()
  for (let count = 0; count < 3; count++) await post('bad', first)
  expect(await post('bad', second)).toBe(isOne ? 429 : 401)
})

test('of too many callers the one is forgotten that came the longest ago', async () => {
  const { post } = createApp(2)
  for (const address of ['a', 'a', 'a', 'b', 'b', 'b', 'a']) await post('bad', address)
  expect(await post('good', 'c')).toBe(200)
  expect([await post('bad', 'a'), await post('bad', 'b')]).toEqual([429, 401])
})
