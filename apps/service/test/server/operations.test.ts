import { expect, inject, test } from 'vitest'
import { trustedProxiesSchema } from '../../src/server/http/client-address.ts'
import { logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, sign } from '../support/post.ts'
import type {} from '../support/postgres-setup.ts'
import { query, startService } from '../support/service.ts'

test('behind a proxy the client’s address counts, for sessions and log-in limits', async () => {
  await using running = await startService({ trustedProxies: trustedProxiesSchema.parse('127.0.0.1, ::1') })
  const ingrid = await logInAs(running.service, accounts.ingrid)
  expect((await confirmLink(ingrid, running)).status).toBe(200)
  await query(running, 'delete from auth_sessions')
  const answer = await post(running, await sign(running), {
    'x-forwarded-for': '203.0.113.66, 198.51.100.1',
    accept: 'application/problem+json',
  })
  expect(answer.status).toBe(200)
  const sessions = await query(running, 'select "ipAddress" from auth_sessions')
  expect(sessions).toEqual([{ ipAddress: '198.51.100.1' }])
  const logIn = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    return (
      await ingrid.send(
        'POST',
        '/api/auth/sign-in/email',
        // A different account each time, because accounts have separate counts.
        { email: `${crypto.randomUUID()}@b.example`, password: 'wrong' },
        headers,
      )
    ).status
  }
  await query(running, 'delete from rate_counts')
  expect(await logIn('198.51.100.2')).toBe(401)
  // As after 29 more, in a minute that lasts.
  await query(running, `update rate_counts set count = 30, ends_at = ${Date.now() + 3_600_000}`)
  expect(await logIn('198.51.100.2')).toBe(429)
  expect(await logIn('198.51.100.3')).toBe(401)
})

test('a partner over its limit must wait, in its representation, without effect', async () => {
  await using running = await startService({ partners: [] })
  const { key } = running
  await using limited = await startService({
    ...running.storage,
    publicUrl: running.service.url,
    partners: [{ ...key.registration, maxPostsPerMinute: 1 }],
    metrics: { port: 0 },
  })
  const address = { service: { url: `http://127.0.0.1:${limited.service.port}` } }
  const send = async (accept: string) => post(address, await sign(running), accept)
  // A minute may end between two posts, so at least one of three is too many.
  const answers = [await send('application/problem+json'), await send('text/html'), await send('text/html')]
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.text()).toContain('ERR_RATE_LIMITED')
  }
  // Recorded after the answer.
  const rows = () => query(running, `select id from audit_entries where outcome = 'ERR_RATE_LIMITED'`)
  await expect.poll(rows, { timeout: 60_000 }).toHaveLength(refused.length)
  const metrics = await (await fetch(limited.service.metricsUrl ?? '')).text()
  expect(metrics).toContain(
    `service_partner_link_total{outcome="ERR_RATE_LIMITED",partner="${key.partnerId}"} ${refused.length}`,
  )
  expect(metrics.includes('service_database_connections{')).toBe(inject('postgres') !== undefined)
})
