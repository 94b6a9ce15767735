import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { canonicalHost } from './own-site.ts'

const app = new Hono().use(canonicalHost('http://localhost:4280')).all('*', c => c.text('here'))

const visit = (url: string, headers: Record<string, string> = { 'sec-fetch-mode': 'navigate' }) =>
  app.request(url, { method: 'POST', headers })

test.each([
  ['/persons/12?tab=a%20b', '/persons/12?tab=a%20b'],
  ['//evil.example/x?y', '//evil.example/x?y'],
  ['/\\evil.example/x', '//evil.example/x'],
  ['//user@evil.example:80/', '//user@evil.example:80/'],
])('a browser that came by another name for %s is sent to the service’s own', async (asked, target) => {
  const answer = await visit(`http://127.0.0.1:4280${asked}`)
  expect(answer.status).toBe(307)
  expect(answer.headers.get('location')).toBe(`http://localhost:4280${target}`)
})

test('the own name, a foreign name and a program are answered where they are', async () => {
  for (const url of ['http://localhost:4280//evil.example', 'http://service.example/'])
    expect((await visit(url)).status).toBe(200)
  expect((await visit('http://127.0.0.1:4280/', {})).status).toBe(200)
})
