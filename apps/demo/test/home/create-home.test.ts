import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createHome } from '../../src/home/create-home.ts'
import { createBoard, type DemoFacts, type DemoState } from '../../src/home/demo-state.ts'

const facts: DemoFacts = {
  journal: 'http://127.0.0.1:1',
  service: 'http://localhost:2',
  my: 'http://localhost:2/my',
  eId: 'http://127.0.0.1:3',
  payloadUrl: 'http://localhost:2/partner/payload',
  patient: 'Åse Marie Øvergård',
  logIns: [],
}

const initial: DemoState = {
  link: { kind: 'ready' },
  wrapper: { kind: 'starting', window: 'memory' },
  my: { kind: 'ready' },
}

async function startHome() {
  const board = createBoard(initial)
  const api = new Hono().post('/drive', c => c.json({ isDone: true }))
  const home = await createHome({ port: 0, facts, board, routes: () => ({ '/api': api }) })
  return { ...home, board }
}

/** Asks with any headers, also those that `fetch` keeps for itself. */
async function ask(url: string, method: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number | undefined
    readonly body: string
    readonly cookie: string | undefined
  }>()
  request(url, { method, headers }, async answer => {
    const [cookie] = answer.headers['set-cookie'] ?? []
    resolve({ status: answer.statusCode, body: await text(answer), cookie })
  })
    .on('error', reject)
    .end()
  return promise
}

describe('the home answers only who has its key', () => {
  test('the printed address gives a cookie, which opens every page', async () => {
    await using home = await startHome()
    const { status, body, cookie = '' } = await ask(home.url, 'GET', {})
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('content="0;url=/"') })
    expect(cookie).toMatch(/^home-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/)
    const own = { cookie: cookie.split(';')[0] ?? '' }
    expect((await ask(`${home.origin}/`, 'GET', own)).body).toContain('<div id="root">')
    expect((await ask(`${home.origin}/nothing`, 'GET', own)).status).toBe(404)
    expect((await ask(`${home.origin}/..%2fcreate-home`, 'GET', own)).status).toBe(404)
    const posted = { ...own, origin: home.origin }
    expect((await ask(`${home.origin}/api/drive`, 'POST', posted)).status).toBe(200)
    expect((await ask(`${home.origin}/api/drive`, 'POST', own)).status).toBe(403)
    expect((await ask(home.onceUrl, 'GET', {})).cookie).toBe(cookie)
    expect((await ask(home.onceUrl, 'GET', {})).status).toBe(403)
    for (const [address, headers, code] of [
      ['/', {}, 403],
      ['/?key=wrong', {}, 403],
      ['/events', {}, 403],
      ['/', { ...own, host: `localhost:${new URL(home.origin).port}` }, 421],
      ['/events', { ...own, origin: 'http://other.example' }, 403],
    ] as const)
      expect([address, (await ask(home.origin + address, 'GET', headers)).status]).toEqual([address, code])
  })

  test('the stream begins with the state, tells each change, and ends with the server', async () => {
    const home = await startHome()
    const { cookie = '' } = await ask(home.url, 'GET', {})
    const answer = await fetch(`${home.origin}/events`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('"link":{"kind":"ready"}')
    const at = '2026-01-01T12:00:00Z'
    home.board.change({ link: { kind: 'refused', code: 'ERR_PAYLOAD_REPLAYED', at } })
    expect((await reader?.read())?.value).toContain('ERR_PAYLOAD_REPLAYED')
    await home[Symbol.asyncDispose]()
    expect((await reader?.read())?.done).toBe(true)
  })
})
