import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createService } from '../../src/server/create-service.ts'
import { createLogger } from '../../src/server/http/logger.ts'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts, testAccounts } from '../support/accounts.ts'
import { query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
let ingrid: ApiClient
let pat: ApiClient

beforeAll(async () => {
  running = await startService()
  ingrid = await logInAs(running.service, accounts.ingrid)
  pat = await logInAs(running.service, accounts.pat)
})
afterAll(() => running[Symbol.asyncDispose]())

const select = (client: ApiClient, person: object) => client.ask('POST', '/api/persons/select', person)

describe('session', () => {
  test('without a log-in nothing can be read', async () => {
    const stranger = new ApiClient(running.service)
    for (const path of ['/api/exercises/1', '/api/persons/1', '/api/workouts/1'])
      expect(await stranger.ask('GET', path)).toMatchObject({
        status: 401,
        body: { code: 'ERR_NOT_SIGNED_IN' },
      })
    expect(await stranger.ask('GET', '/api/session')).toMatchObject({ status: 200, body: { employee: null } })
  })

  test('the cookie is bound to its host, hidden from scripts, and not sent across sites', async () => {
    const answer = await new ApiClient(running.service).send('POST', '/api/auth/sign-in/email', {
      email: accounts.ingrid.email,
      password: accounts.ingrid.password,
    })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-/)
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/'])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Domain')
  })

  test.each([
    ['POST', 'sign-up/email'],
    ['POST', 'sign-in/social'],
    ['GET', 'sign-in/email'],
    ['GET', 'get-session'],
    ['GET', 'error?error=Call%20this%20number'],
    ['GET', 'reset-password/token?callbackURL=/'],
    ['POST', 'update-user'],
    ['POST', 'change-password'],
    ['POST', 'delete-user'],
    ['POST', 'sign-in/email/'],
    ['POST', 'sign-in%2Femail'],
  ])('the log-in does not serve %s /api/auth/%s', async (method, path) => {
    const { email, password } = accounts.ingrid
    const body = { email, password, name: 'Somebody Else', currentPassword: password, newPassword: password }
    for (const framed of [{}, { 'x-framed': '1' }]) {
      const answer = await ingrid.send(
        method,
        `/api/auth/${path}`,
        method === 'GET' ? undefined : body,
        framed,
      )
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'ERR_NOT_FOUND' })
    }
    expect((await ingrid.ask('GET', '/api/session')).body).toMatchObject({
      employee: { name: accounts.ingrid.name },
    })
  })

  test.each([
    ['GET', '/api/session', 200],
    ['GET', '/api/sign-in-hint', 200],
    ['GET', '/api/persons/1000000', 404],
    ['GET', '/api/nowhere', 404],
    ['POST', '/api/auth/sign-in/email', 200],
    ['POST', '/api/auth/sign-out', 200],
    ['POST', '/api/auth/update-user', 404],
    ['GET', '/api/my/nowhere', 401],
  ])('%s %s must not be cached', async (method, path, status) => {
    const client = path.startsWith('/api/auth/') ? new ApiClient(running.service) : ingrid
    const { email, password } = accounts.samuel
    const answer = await client.send(method, path, method === 'GET' ? undefined : { email, password })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store'])
  })

  test.each([
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('a change requested by %s is refused', async (_name, headers) => {
    for (const path of ['/api/auth/sign-in/email', '/api/persons/select']) {
      const answer = await ingrid.send('POST', path, { customId: 'x', email: 'a@b.example' }, headers)
      expect(answer.status).toBe(403)
    }
  })

  test('a page of another account’s session gets no answer', async () => {
    const answer = await ingrid.send('GET', '/api/exercises/1', undefined, {
      'x-expected-account': 'somebody-else',
    })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ code: 'ERR_OTHER_ACCOUNT' })
  })

  test('after signing out the session is invalid, even with a kept cookie', async () => {
    const client = await logInAs(running.service, accounts.samuel)
    const { cookies: cookie } = client
    await client.send('POST', '/api/auth/sign-out', {})
    const answer = await fetch(`${running.service.url}/api/exercises/1`, { headers: { cookie } })
    expect(answer.status).toBe(401)
  })
})

describe('persons', () => {
  test('[2.3-custom-id] a person is created once and selected afterwards', async () => {
    const person = { customId: 'p-1', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1980-04-03' }
    const created = await select(ingrid, person)
    expect(created).toMatchObject({ status: 200, body: { status: 'created', person } })
    const selected = await select(ingrid, person)
    expect(selected.body).toEqual({ ...created.body, status: 'selected' })
  })

  test('[2.3-profile-data] profile data are kept exactly, and equal entries once', async () => {
    const weight = { key: 'weight', value: '81', unit: 'kg', date: '2026-01-02 08:30', customkey: { a: [1] } }
    const height = { value: 180, key: 'height' }
    await select(ingrid, { customId: 'p-3', firstname: 'A', lastname: 'B', profileData: [weight] })
    const { body } = await select(ingrid, {
      customId: 'p-3',
      firstname: 'A',
      lastname: 'B',
      profileData: [weight, height],
    })
    expect(JSON.stringify(Reflect.get(body.person ?? {}, 'profileData'))).toBe(
      JSON.stringify([weight, height]),
    )
  })

  test('a user id alone decides, and an unknown one is refused', async () => {
    const { body } = await select(ingrid, { customId: 'p-4', firstname: 'A', lastname: 'B' })
    const userId = Number(Reflect.get(body.person ?? {}, 'userId'))
    const byUserId = await select(ingrid, { userId, customId: 'p-1', firstname: 'A', lastname: 'B' })
    expect(byUserId.body).toMatchObject({ status: 'selected', person: { userId, customId: 'p-4' } })
    expect(await select(ingrid, { userId: 999_999, firstname: 'A', lastname: 'B' })).toMatchObject({
      status: 404,
      body: { code: 'ERR_NOT_FOUND' },
    })
  })

  test('[2.3-custom-id] CustomId need not be unique; then the user must choose and nothing is written', async () => {
    const ids: unknown[] = []
    for (const customId of ['twin-a', 'twin-b']) {
      const { body } = await select(ingrid, { customId, firstname: customId, lastname: 'Twin' })
      ids.push(Reflect.get(body.person ?? {}, 'userId'))
    }
    expect((await ingrid.ask('PUT', `/api/persons/${ids[1]}/custom-id`, { customId: 'twin-a' })).status).toBe(
      200,
    )
    const asked = await select(ingrid, {
      customId: 'twin-a',
      firstname: 'twin-a',
      lastname: 'Twin',
      email: 'x@y.example',
    })
    expect(asked).toMatchObject({
      status: 200,
      body: {
        kind: 'choose',
        sent: { customId: 'twin-a', firstname: 'twin-a' },
        candidates: [
          { contactId: String(ids[0]), firstname: 'twin-a', contradictions: [] },
          { contactId: String(ids[1]), firstname: 'twin-b', contradictions: ['firstname'] },
        ],
      },
    })
    const closest = await select(ingrid, { customId: 'twin-a', firstname: 'twin-b', lastname: 'Twin' })
    expect(closest.body).toMatchObject({
      candidates: [{ contactId: String(ids[1]), contradictions: [] }, {}],
    })
    const { body } = await ingrid.ask('POST', '/api/persons/search', { customId: 'twin-a' })
    expect(body.persons).toHaveLength(2)
    expect(JSON.stringify(body)).not.toContain('x@y.example')
  })

  test('an employee changes and empties fields; an impossible date is refused by its path', async () => {
    const { body } = await select(ingrid, { customId: 'e-1', firstname: 'A', lastname: 'B', mobile: '1' })
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    const changed = await ingrid.ask('PATCH', path, { firstname: 'Changed', mobile: null })
    expect(changed.body.person).toMatchObject({ firstname: 'Changed' })
    expect(changed.body.person).not.toHaveProperty('mobile')
    // No database keeps the character.
    expect((await ingrid.ask('PATCH', path, { lastname: 'a\u0000b' })).status).toBe(422)
    expect(await ingrid.ask('PATCH', path, { dateOfBirth: '2020-02-30' })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'dateOfBirth' }] },
    })
  })

  test.each([
    ['no names', { firstname: null, middlename: null, lastname: null }],
    ['white space', { firstname: ' \u00a0', middlename: '\t', lastname: '' }],
    ['characters that nobody sees', { firstname: '\u200b', middlename: '', lastname: '\u00ad' }],
  ])('a patient with %s cannot be saved; what was there stays', async (_name, names) => {
    const { body } = await select(ingrid, { customId: 'named', firstname: 'A', lastname: 'B' })
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    const refused = await ingrid.ask('PATCH', path, { ...names, mobile: 'typed' })
    expect(refused).toMatchObject({ status: 422, body: { code: 'ERR_NAME_MISSING' } })
    expect((await ingrid.ask('GET', path)).body).toEqual({ person: body.person })
  })

  test('a patient that came without a name may exist, and is saved with one', async () => {
    const { body } = await select(ingrid, { customId: 'nameless' })
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    expect((await ingrid.ask('PATCH', path, { mobile: '1' })).body.code).toBe('ERR_NAME_MISSING')
    expect((await ingrid.ask('PATCH', path, { mobile: '1', middlename: 'M' })).status).toBe(200)
  })

  test('another organization sees and changes nothing', async () => {
    const { body } = await select(ingrid, { customId: 'secret', firstname: 'Only', lastname: 'Ours' })
    const id = Number(Reflect.get(body.person ?? {}, 'userId'))
    expect((await pat.ask('GET', `/api/persons/${id}`)).status).toBe(404)
    expect((await pat.ask('PATCH', `/api/persons/${id}`, { firstname: 'Theirs' })).status).toBe(404)
    expect((await pat.ask('PUT', `/api/persons/${id}/custom-id`, { customId: 'x' })).status).toBe(404)
    expect(
      (await pat.ask('POST', '/api/workouts/1/give', { personId: id, key: crypto.randomUUID() })).status,
    ).toBe(404)
    expect((await pat.ask('POST', '/api/persons/search', { customId: 'secret' })).body.persons).toEqual([])
    expect(
      (await select(pat, { customId: 'secret', firstname: 'Only', lastname: 'Theirs' })).body.status,
    ).toBe('created')
  })
})

describe('exercises and workouts', () => {
  test('a search finds words by their beginning, best first', async () => {
    const { body } = await ingrid.ask('POST', '/api/exercises/search', { text: 'squat' })
    const names = Array.isArray(body.exercises) ? body.exercises.map(({ name }) => String(name)) : []
    expect(names.length).toBeGreaterThan(5)
    expect(names[0]).toMatch(/squat/i)
    expect(
      (await ingrid.ask('POST', '/api/exercises/search', { text: 'squ goblet' })).body.exercises,
    ).toMatchObject([{ name: 'Goblet squat' }])
  })

  test('a workout holds its exercises in order', async () => {
    const { body } = await ingrid.ask('POST', '/api/workouts/search', { text: 'squat progression' })
    const [workout] = Array.isArray(body.workouts) ? body.workouts : []
    const detail = await ingrid.ask('GET', `/api/workouts/${workout?.id}`)
    expect(detail.body.workout).toMatchObject({
      name: 'Squat progression',
      exercises: [{ position: 1, name: 'Squat to chair', sets: 2, reps: 10 }, { position: 2 }, {}, {}, {}],
    })
    expect((await ingrid.ask('GET', '/api/workouts/999999')).status).toBe(404)
  })

  test('[4.5-getworkoutsforclient] a given workout belongs to the person, and only newer ones are listed', async () => {
    const { body } = await select(ingrid, { customId: 'w-1', firstname: 'A', lastname: 'B' })
    const personId = Number(Reflect.get(body.person ?? {}, 'userId'))
    const list = (filter: object) => ingrid.ask('POST', '/api/workouts/for-person', filter)
    expect((await list({ customId: 'w-1' })).body.workouts).toEqual([])
    const given = await ingrid.ask('POST', '/api/workouts/1/give', { personId, key: crypto.randomUUID() })
    expect(given.body.workout).toMatchObject({ personId, owner: 'Ingrid Solberg' })
    const expected = [{ id: Reflect.get(given.body.workout ?? {}, 'id') }]
    const listed = (await list({ customId: 'w-1' })).body.workouts
    expect(listed).toMatchObject([
      {
        ...expected[0],
        owner: expect.any(Number),
        ownerName: 'Ingrid Solberg',
        executor: personId,
        executorName: 'A B',
        exerciseCount: 5,
      },
    ])
    expect(Object(listed)[0].exercises[0]).toEqual({
      id: expect.any(Number),
      name: 'Quadriceps set',
      data: [
        [
          { key: 'sets', value: '3', unit: '' },
          { key: 'reps', value: '10', unit: '' },
          { key: 'rest', value: '30', unit: 's' },
        ],
      ],
    })
    expect((await list({ userId: personId, from: '2000-01-01' })).body.workouts).toMatchObject(expected)
    expect((await list({ userId: personId, from: '2999-01-01' })).body.workouts).toEqual([])
    expect((await list({ userId: personId, from: '31.12.2000' })).status).toBe(422)
    expect((await list({ customId: 'nobody-has-this' })).body.workouts).toEqual([])
    expect((await list({ userId: 999_999 })).status).toBe(404)
    expect((await list({})).status).toBe(422)
    expect((await pat.ask('GET', `/api/workouts/${expected[0]?.id}`)).status).toBe(404)
  })

  test('[4.5-getworkoutsforclient] two persons of one CustomId have separate workouts', async () => {
    for (const customId of ['w-2', 'w-3']) {
      const { body } = await select(ingrid, { customId, firstname: customId, lastname: 'B' })
      const userId = Reflect.get(body.person ?? {}, 'userId')
      await ingrid.ask('POST', '/api/workouts/1/give', { personId: userId, key: crypto.randomUUID() })
      await ingrid.ask('PUT', `/api/persons/${userId}/custom-id`, { customId: 'w-2' })
    }
    const answer = await ingrid.ask('POST', '/api/workouts/for-person', { customId: 'w-2' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'ERR_AMBIGUOUS_PERSON' } })
    expect(JSON.stringify(answer.body)).not.toContain('workouts')
  })
})

describe('the service as a whole', () => {
  test('data and sessions survive a restart; the demo’s persons are made once', async () => {
    const profileData = [{ key: 'weight', value: '70', customkey: 'kept' }]
    const demoPersons = [{ ssn: '12857948368', lastname: 'Seeded-Once', profileData }]
    await using first = await startService({ demoPersons })
    const client = await logInAs(first.service, accounts.ingrid)
    await select(client, { customId: 'kept', firstname: 'Still', lastname: 'Here-Tomorrow' })
    await first.service.close()
    await using second = await createService({
      port: 0,
      publicUrl: first.service.url,
      ...first.storage,
      partners: [],
      demoAccounts: testAccounts,
      demoPersons,
      logger: createLogger('silent'),
    })
    const later = client.at(`http://127.0.0.1:${second.port}`)
    const { body } = await later.ask('POST', '/api/persons/search', {})
    expect(body).toMatchObject({
      persons: [{ lastname: 'Here-Tomorrow' }, { lastname: 'Seeded-Once' }],
    })
    const seeded = Array.isArray(body.persons) ? body.persons[1].userId : undefined
    expect((await later.ask('GET', `/api/persons/${seeded}`)).body).toMatchObject({ person: { profileData } })
  })

  test('the database uses write-ahead logging; only the owner can read its folder and key', async () => {
    if (running.storage.databaseUrl === undefined)
      expect(await query(running, 'pragma journal_mode')).toMatchObject([{ journal_mode: 'wal' }])
    const { mode } = await stat(join(running.dataFolder, 'auth-secret'))
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0)
  })

  test('each address of the web app loads with a policy that allows no foreign script', async () => {
    for (const path of ['/', '/persons/12', '/exercises?text=squat', '/workouts/1']) {
      const answer = await fetch(`${running.service.url}${path}`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(await answer.text()).toContain('<div id="root">')
    }
    expect((await fetch(`${running.service.url}/assets/none.js`)).status).toBe(404)
    expect((await fetch(`${running.service.url}/api/none`)).status).toBe(401)
  })
})
