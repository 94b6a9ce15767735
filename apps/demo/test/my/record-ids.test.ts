import { type ApiClient, accounts, logInAs } from '@service-link/service/test-kit'
import type { Visitor } from '@service-link/service/testing'
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
  const cookies = [ingrid.cookie, `__Host-my.session_token=${visitor.cookie('__Host-my.session_token')}`]
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { origin: url, cookie: cookies.join('; '), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Texts in a path that are the id of no record. */
const pathIds = () => [
  ...['2147483647', '2147483648', '4294967297', '9007199254740993', '99999999999999999999'],
  ...[
    '0',
    '-1',
    '1e3',
    '0x1',
    `0${personId}`,
    `${personId}.0`,
    `+${personId}`,
    `${personId}%20`,
    '٣',
    'null',
  ],
  ...['%00', `${personId}%00`, '%ED%A0%80', '%F0%9F%98%80', '%', 'x'.repeat(6000)],
]

/** Integers in a body that are the id of no record. */
const bodyIds = [
  '2147483647',
  '2147483648',
  '4294967297',
  '9007199254740993',
  '1e20',
  '0',
  '-1',
  '-2147483649',
]

const key = '"key":"0123456789abcdef"'
const isFree = undefined

/** A body with an id, and the answer to an id of no record. */
interface InBody {
  readonly body: (id: string) => string
  readonly answer: number
  readonly ids?: readonly string[]
  readonly path?: string
}

/** Each address of the service, with a body for an id in the path, and where a body holds an id. */
const places: Readonly<
  Record<string, { readonly body?: () => string; readonly inBody?: InBody } | undefined>
> = {
  'GET /health/live': isFree,
  'GET /health/ready': isFree,
  'ALL /partner/payload/open/:handle': {},
  'POST /partner/log-in': isFree,
  'POST /api/auth/sign-in/email': isFree,
  'POST /api/auth/sign-out': isFree,
  'GET /api/session': isFree,
  'GET /api/sign-in-hint': isFree,
  'GET /api/my/session': isFree,
  'POST /api/my/sign-out': isFree,
  'GET /api/my/workouts': isFree,
  'GET /api/my/workouts/:id': {},
  'POST /api/persons/search': {
    inBody: { body: id => `{"ids":[${id},${id}]}`, answer: 200 },
  },
  'POST /api/persons/all': isFree,
  'POST /api/persons/select': {
    // A wrapper's 0 is no id, and the wire takes no negative one.
    inBody: { body: id => `{"userId":${id}}`, answer: 404, ids: ['2147483648', '9007199254740991'] },
  },
  'GET /api/persons/:id': {},
  'PATCH /api/persons/:id': { body: () => '{"firstname":"B"}' },
  'PUT /api/persons/:id/custom-id': { body: () => '{"customId":"other"}' },
  'GET /api/exercises/:id': {},
  'POST /api/exercises/search': isFree,
  'POST /api/workouts/search': isFree,
  'POST /api/workouts/for-person': {
    inBody: {
      body: id => `{"userId":${id}}`,
      answer: 404,
      ids: ['2147483648', '9007199254740991', '0', '-1', '"2147483648"'],
    },
  },
  'GET /api/workouts/:id': {},
  'POST /api/workouts/:id/give': {
    body: () => `{"personId":${personId},${key}}`,
    inBody: { body: id => `{"personId":${id},${key}}`, answer: 404, path: '/api/workouts/1/give' },
  },
  'POST /api/workouts/:id/withdraw': {},
  'POST /api/partner-visits': isFree,
  'GET /api/partner-links': isFree,
  'POST /api/partner-links/:id/seen': {},
  'DELETE /api/partner-links/:id': {},
  'GET /my/log-in': isFree,
  'GET /my/callback': isFree,
  'GET /my': isFree,
  'GET /my/*': isFree,
  'GET /assets/*': isFree,
  'GET /*': isFree,
}

describe('the id of no record', () => {
  test('is tried at every address of the service', () => {
    // Middleware is for every method.
    const routes = my.running.service.routes.filter(
      ({ method, path }) => method !== 'ALL' || path.includes(':'),
    )
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(Object.keys(places)),
    )
  })

  test.each(Object.keys(places).filter(route => route.includes(':')))(
    'in the path of %s finds nothing',
    async route => {
      const [method = '', path = ''] = route.split(' ')
      const answers: Record<string, number> = {}
      const expected: Record<string, number> = {}
      for (const id of pathIds()) {
        const address = path.replace(/:\w+/, id)
        const { status } = await ask(method === 'ALL' ? 'GET' : method, address, places[route]?.body?.())
        answers[id] = status
        expected[id] = method === 'ALL' ? 410 : 404
      }
      expect(answers).toEqual(expected)
    },
  )

  test.each(Object.keys(places).filter(route => places[route]?.inBody))(
    'in the body of %s finds nothing',
    async route => {
      const [method = '', path = ''] = route.split(' ')
      const { body, answer, ids = bodyIds, path: place = path } = places[route]?.inBody ?? { body: String }
      for (const id of ids) {
        const { status, text } = await ask(method, place, body(id))
        expect([id, status]).toEqual([id, answer])
        if (status === 200) expect(JSON.parse(text)).toEqual({ total: 0, persons: [] })
      }
    },
  )

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

  test('an empty list of ids finds nobody', async () => {
    const { status, text } = await ask('POST', '/api/persons/search', '{"ids":[]}')
    expect([status, JSON.parse(text)]).toEqual([200, { total: 0, persons: [] }])
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
