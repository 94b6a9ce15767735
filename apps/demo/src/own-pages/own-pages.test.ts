import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { ownPages } from './own-pages.ts'
import { createPageKeys } from './page-keys.ts'

async function makeApp() {
  const folder = await mkdtemp(join(tmpdir(), 'own-pages-'))
  await writeFile(join(folder, 'index.html'), '<p>first</p>')
  const keys = createPageKeys()
  const pages = { '/': ['http://localhost:1'] }
  const app = new Hono().route('/', ownPages({ folder, pages, keys })).get('/later', c => c.text('later'))
  const handIn = (body: string) => app.request('/key', { method: 'POST', body })
  const askFor = (path: string, key: string, method = 'GET') =>
    app.request(path, { method, headers: { authorization: `Bearer ${key}` } })
  return { app, keys, handIn, askFor, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('a key of one use gives the key once; no answer has a cookie', async () => {
  await using made = await makeApp()
  const once = made.keys.issue()
  const answers = [await made.handIn(once), await made.handIn(once)]
  expect(answers.map(({ status }) => status)).toEqual([200, 403])
  const key = (await answers[0]?.text()) ?? ''
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  expect(key).not.toContain(once)
  const answer = await made.askFor('/later', key)
  expect(await answer.text()).toBe('later')
  expect([...answers, answer].flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
})

test('a page with the key gets keys of one use for other pages, which end after a minute', async () => {
  await using made = await makeApp()
  const key = await (await made.handIn(made.keys.issue())).text()
  const given = await (await made.askFor('/keys', key, 'POST')).text()
  expect(await (await made.handIn(given)).text()).toBe(key)
  expect((await made.handIn(made.keys.issue({ livesMs: -1 }))).status).toBe(403)
})

test.each([
  ['nothing', () => ({})],
  ['a key of one use', ({ keys }) => ({ authorization: `Bearer ${keys.issue()}` })],
  ['another key', () => ({ authorization: 'Bearer wrong' })],
  ['the key as a cookie', (_, key) => ({ cookie: `key=${key}` })],
  ['the key in another scheme', (_, key) => ({ authorization: `Basic ${key}` })],
  [
    'its own origin and host',
    () => ({ origin: 'http://localhost', host: 'localhost', 'sec-fetch-site': 'same-origin' }),
  ],
] as const satisfies [
  string,
  (made: Awaited<ReturnType<typeof makeApp>>, key: string) => Record<string, string>,
][])('every route that is no file is refused to %s, also one that there is not', async (_name, headersOf) => {
  await using made = await makeApp()
  const key = await (await made.handIn(made.keys.issue())).text()
  for (const [method, path, status] of [
    ['GET', '/', 200],
    ['GET', '/assets/nothing.js', 403],
    ['GET', '/later', 403],
    ['POST', '/keys', 403],
    ['GET', '/key', 403],
    ['GET', '/nothing', 403],
    ['POST', '/', 403],
    ['POST', '//later', 403],
    ['DELETE', '/later', 403],
  ] as const) {
    const answer = await made.app.request(path, { method, headers: headersOf(made, key) })
    expect([method, path, answer.status]).toEqual([method, path, status])
  }
  expect((await made.app.request('/later', { headers: headersOf(made, key) })).status).toBe(403)
})

test('a key in an address opens nothing, because addresses are written down', async () => {
  await using made = await makeApp()
  const key = await (await made.handIn(made.keys.issue())).text()
  expect((await made.app.request(`/later?key=${key}`)).status).toBe(403)
  expect(made.keys.addressOf('http://127.0.0.1:1/')).toMatch(/^http:\/\/127\.0\.0\.1:1\/#key=[\w-]{32}$/)
})
