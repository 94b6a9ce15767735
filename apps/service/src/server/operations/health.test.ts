import { expect, test } from 'vitest'
import { keepLog } from '../../../test/support/log.ts'
import { createReadinessCheck, healthRoutes } from './health.ts'

const { logger } = keepLog()
const answers = async () => undefined

test('a service that can take requests says so', async () => {
  const app = healthRoutes(createReadinessCheck(answers, logger))
  const ready = await app.request('/ready')
  expect(ready.status).toBe(200)
  expect(ready.headers.get('cache-control')).toBe('no-store')
  expect(await ready.json()).toEqual({ status: 'ok', parts: { process: 'ok', database: 'ok' } })
  expect((await app.request('/live')).status).toBe(200)
})

test('while it ends it says that it takes none, and lives', async () => {
  const readiness = createReadinessCheck(answers, logger)
  const app = healthRoutes(readiness)
  readiness.stop()
  const ready = await app.request('/ready')
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await ready.json()).toEqual({ status: 'failing', parts: { process: 'failing', database: 'ok' } })
  expect((await app.request('/live')).status).toBe(200)
})

test('a database that fails makes it not ready, without a word about the failure, and the log has each change', async () => {
  const fails = () => Promise.reject(new Error('password authentication failed for user "secret"'))
  const { logger, lines } = keepLog()
  let ask: () => Promise<unknown> = fails
  const app = healthRoutes(createReadinessCheck(() => ask(), logger))
  await app.request('/ready')
  const ready = await app.request('/ready')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({ status: 'failing', parts: { process: 'ok', database: 'failing' } })
  ask = answers
  expect((await app.request('/ready')).status).toBe(200)
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 50, error: 'Error', msg: 'database cannot be written, not ready' },
    { level: 30, msg: 'database can be written again, ready' },
  ])
  expect(lines.join('')).not.toContain('secret')
})

test('a database that hangs makes it not ready, and is asked once however many ask', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  const hangs = () => {
    asked++
    return promise
  }
  const readiness = createReadinessCheck(hangs, logger, 1)
  const app = healthRoutes(readiness)
  const statuses = [(await app.request('/ready')).status]
  for (const { status } of await Promise.all([app.request('/ready'), app.request('/ready')]))
    statuses.push(status)
  expect({ statuses, asked }).toEqual({ statuses: [503, 503, 503], asked: 1 })
  expect((await app.request('/live')).status).toBe(200)
  resolve()
})
