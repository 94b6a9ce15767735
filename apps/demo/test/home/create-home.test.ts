import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createHome } from '../../src/home/create-home.ts'
import { createPageKeys } from '../../src/own-pages/page-keys.ts'

test('the home answers only who has its key: each route that is no page wants it in a header', async () => {
  const keys = createPageKeys()
  const api = new Hono().post('/drive', c => c.json({ isDone: true }))
  const payloadUrl = 'http://localhost:2/partner/payload'
  await using home = await createHome({ port: 0, keys, payloadUrl, routes: { '/api': api } })
  const answer = await fetch(`${home.origin}/key`, { method: 'POST', body: keys.issue() })
  const authorization = `Bearer ${await answer.text()}`
  for (const [method, path, keyed, keyless] of [
    ['GET', '/', 200, 200],
    ['GET', '/console', 200, 200],
    ['POST', '/keys', 200, 403],
    ['POST', '/api/drive', 200, 403],
    ['GET', '/nothing', 404, 403],
    ['GET', '/..%2fcreate-home', 404, 403],
  ] as const) {
    const own = await fetch(home.origin + path, { method, headers: { authorization } })
    const other = await fetch(home.origin + path, { method, headers: { origin: home.origin } })
    expect([method, path, own.status, other.status]).toEqual([method, path, keyed, keyless])
  }
})
