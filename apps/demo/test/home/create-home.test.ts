import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createHome } from '../../src/home/create-home.ts'
import { createBoard, type DemoFacts } from '../../src/home/demo-state.ts'
import { createPageKeys } from '../../src/own-pages/page-keys.ts'

const facts: DemoFacts = {
  journal: 'http://127.0.0.1:1',
  service: 'http://localhost:2',
  my: 'http://localhost:2/my',
  eId: 'http://127.0.0.1:3',
  payloadUrl: 'http://localhost:2/partner/payload',
  patient: 'Åse Marie Øvergård',
  logIns: [],
}

async function startHome() {
  const board = createBoard()
  const keys = createPageKeys()
  const api = new Hono().post('/drive', c => c.json({ isDone: true }))
  const home = await createHome({ port: 0, keys, facts, board, routes: () => ({ '/api': api }) })
  const answer = await fetch(`${home.origin}/key`, { method: 'POST', body: keys.issue() })
  const authorization = `Bearer ${await answer.text()}`
  return { ...home, board, authorization }
}

describe('the home answers only who has its key', () => {
  test('each route that is no page wants the key in a header', async () => {
    await using home = await startHome()
    for (const [method, path, keyed, keyless] of [
      ['GET', '/', 200, 200],
      ['GET', '/console', 200, 200],
      ['GET', '/events', 200, 403],
      ['POST', '/keys', 200, 403],
      ['POST', '/api/drive', 200, 403],
      ['GET', '/nothing', 404, 403],
      ['GET', '/..%2fcreate-home', 404, 403],
    ] as const) {
      const own = await fetch(home.origin + path, { method, headers: { authorization: home.authorization } })
      await own.body?.cancel()
      const other = await fetch(home.origin + path, { method, headers: { origin: home.origin } })
      expect([method, path, own.status, other.status]).toEqual([method, path, keyed, keyless])
    }
  })

  test('the stream begins with the state, tells each change, and ends with the server', async () => {
    const home = await startHome()
    const answer = await fetch(`${home.origin}/events`, { headers: { authorization: home.authorization } })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('"link":{"tone":"ready"')
    home.board.change({ link: { tone: 'refused', text: 'ERR_PAYLOAD_REPLAYED' } })
    expect((await reader?.read())?.value).toContain('ERR_PAYLOAD_REPLAYED')
    await home[Symbol.asyncDispose]()
    expect((await reader?.read())?.done).toBe(true)
  })
})
