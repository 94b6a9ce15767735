import { type ApiClient, accounts, logInAs, type Visitor } from '@service-link/service/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aase, logInToMy, type RunningMy, startMy } from '../support/my.ts'

let my: RunningMy
let ingrid: ApiClient
let visitor: Visitor
let personId: number
beforeAll(async () => {
  my = await startMy()
  ingrid = await logInAs(my.running.service, accounts.ingrid)
  visitor = (await logInToMy(my, aase)).visitor
  const { body } = await ingrid.ask('POST', '/api/persons/select', { customId: 'ids', firstname: 'A' })
  personId = Number(Reflect.get(body.person ?? {}, 'userId'))
})
afterAll(() => my[Symbol.asyncDispose]())

/** Sends raw JSON, whose numbers keep their spelling. */
async function ask(method: string, path: string, body?: string) {
  const { url } = my.running.service
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      origin: url,
      cookie: `${ingrid.cookies}; ${visitor.cookies}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Texts in a path that are the id of no record. */
const pathIds = () => [
  ...['2147483647', '2147483648', '9007199254740993', '99999999999999999999', '0', '-1', '1e3', '0x1'],
  ...[`0${personId}`, `${personId}.0`, `+${personId}`, `${personId}%20`, '٣', 'null'],
  ...['%00', `${personId}%00`, '%ED%A0%80', '%F0%9F%98%80', '%', 'x'.repeat(6000)],
]

/** Integers in a body that are the id of no record. */
const bodyIds = ['2147483647', '2147483648', '9007199254740993', '1e20', '0', '-1', '-2147483649']

const key = '"key":"0123456789abcdef"'

/** Bodies that an address with an id in its path needs. */
const bodies: Readonly<Record<string, () => string>> = {
  'PATCH /api/persons/:id': () => '{"firstname":"B"}',
  'PUT /api/persons/:id/custom-id': () => '{"customId":"other"}',
  'PUT /api/my/workouts/:id/done': () =>
    JSON.stringify({ day: new Date().toISOString().slice(0, 10), isDone: true }),
  'POST /api/workouts/:id/give': () => `{"personId":${personId},${key}}`,
}

describe('the id of no record', () => {
  test('finds nothing in the path of any address of the service', async () => {
    const withId = my.running.service.routes.filter(({ path }) => /:\w+/.test(path))
    expect(withId.length).toBeGreaterThan(9)
    for (const { method, path } of withId)
      for (const id of pathIds()) {
        const body = bodies[`${method} ${path}`]?.()
        const { status } = await ask(method === 'ALL' ? 'GET' : method, path.replace(/:\w+/, id), body)
        expect([method, path, id, status]).toEqual([method, path, id, method === 'ALL' ? 410 : 404])
      }
  })

  test.each([
    // A wrapper's 0 is no id, and the wire takes no negative one.
    ['/api/persons/select', (id: string) => `{"userId":${id}}`, ['2147483648', '9007199254740991']],
    [
      '/api/workouts/for-person',
      (id: string) => `{"userId":${id}}`,
      ['2147483648', '0', '-1', '"2147483648"'],
    ],
    ['/api/workouts/1/give', (id: string) => `{"personId":${id},${key}}`, bodyIds],
  ])('in the body of %s finds nothing', async (path, body, ids) => {
    for (const id of ids) {
      expect([id, (await ask('POST', path, body(id))).status]).toEqual([id, 404])
    }
  })

  test('in the session’s query finds nobody, and the session is answered', async () => {
    for (const id of pathIds()) {
      const { status, text } = await ask('GET', `/api/session?focus=${id}`)
      expect([id, status, JSON.parse(text)]).toMatchObject([
        id,
        200,
        { employee: { name: accounts.ingrid.name }, person: null },
      ])
    }
    const { text } = await ask('GET', `/api/session?focus=${personId}`)
    expect(JSON.parse(text).person).toMatchObject({ userId: personId })
  })
})

describe('what no database keeps', () => {
  const nul = String.raw`\u0000`
  const lone = String.raw`\ud800`
  const long = 'x'.repeat(100_000)

  test.each([
    ['POST', '/api/persons/search', (text: string) => `{"text":"a${text}"}`],
    ['POST', '/api/persons/search', (text: string) => `{"customId":"a${text}"}`],
    ['POST', '/api/persons/all', (text: string) => `{"customId":"a${text}"}`],
    ['POST', '/api/persons/select', (text: string) => `{"customId":"a${text}"}`],
    ['POST', '/api/workouts/for-person', (text: string) => `{"customId":"a${text}"}`],
    [
      'POST',
      '/api/workouts/for-person',
      (text: string) => `{"userId":${personId},"from":"2026-01-0${text}"}`,
    ],
    [
      'POST',
      '/api/workouts/1/give',
      (text: string) => `{"personId":${personId},"key":"0123456789abcdef${text}"}`,
    ],
    ['POST', '/api/partner-visits', (text: string) => `{"handle":"${text}","confirmed":true}`],
    ['POST', '/api/auth/sign-in/email', (text: string) => `{"email":"a${text}@b.example","password":"x"}`],
  ])('%s %s refuses it in a text', async (method, path, body) => {
    for (const text of [nul, lone, long]) {
      const { status } = await ask(method, path, body(text))
      expect([400, 401, 410, 422], text.slice(0, 8)).toContain(status)
    }
  })
})
