import { expect, test } from 'vitest'
import '../../../test/support/localhost.ts'
import { createMetrics, serveMetrics } from './metrics.ts'

test('each service counts for itself, in the text format', async () => {
  const metrics = createMetrics()
  const other = createMetrics()
  metrics.observePartnerLink({ result: 'signed-in', partnerId: 'clinic' })
  metrics.observePartnerLink({ result: 'ERR_RATE_LIMITED', partnerId: 'clinic' })
  metrics.observePartnerLink({ result: 'ERR_PAYLOAD_MALFORMED', partnerId: undefined })
  metrics.observeRequest('GET', '/api/persons/:id', 200, 0.03)
  metrics.countAuditFailure()
  const answer = await metrics.respond()
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await answer.text()).split('\n')).toEqual(
    expect.arrayContaining([
      'service_partner_link_total{outcome="signed-in",partner="clinic"} 1',
      'service_partner_link_total{outcome="ERR_RATE_LIMITED",partner="clinic"} 1',
      'service_partner_link_total{outcome="ERR_PAYLOAD_MALFORMED",partner=""} 1',
      'service_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/persons/:id",status="200"} 0',
      'service_request_duration_seconds_bucket{le="0.05",method="GET",route="/api/persons/:id",status="200"} 1',
      'service_audit_failures_total 1',
    ]),
  )
  const otherText = await (await other.respond()).text()
  expect(otherText).not.toContain('clinic')
  expect(otherText).not.toContain('service_database_connections{')
  expect(otherText).toMatch(/^process_cpu_seconds_total \d/m)
})

test('a pool is told as it is at the moment', async () => {
  const counts = { total: 5, idle: 2, waiting: 1 }
  const metrics = createMetrics(() => counts)
  await metrics.respond()
  counts.waiting = 7
  const text = await (await metrics.respond()).text()
  expect(text).toContain('service_database_connections{state="idle"} 2')
  expect(text).toContain('service_database_connections{state="used"} 3')
  expect(text).toContain('service_database_connections{state="waiting"} 7')
})

test('the metrics have a server of their own, with nothing else on it', async () => {
  const metrics = createMetrics()
  await using server = await serveMetrics(metrics, { port: 0 })
  const ask = async (url: string, method = 'GET') => (await fetch(url, { method })).status
  expect(await ask(server.url)).toBe(200)
  expect(await ask(server.url, 'POST')).toBe(405)
  expect(await ask(new URL('/', server.url).href)).toBe(404)
})
