import {
  type ApiClient,
  accounts,
  locationOf,
  logInAs,
  query,
  startService,
  Visitor,
} from '@service-link/service/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aase, askMy, giveTo, logInToMy, nora, type RunningMy, startMy, torbjorn } from '../support/my.ts'

const consumerCookie = '__Host-my.session_token'
const employeeCookie = '__Host-service.session_token'

let my: RunningMy
let ingrid: ApiClient
let pat: ApiClient
beforeAll(async () => {
  my = await startMy()
  ingrid = await logInAs(my.running.service, accounts.ingrid)
  pat = await logInAs(my.running.service, accounts.pat)
})
afterAll(() => my[Symbol.asyncDispose]())

/** An employee makes a contact and gives it a library workout. */
async function give(
  employee: ApiClient,
  contact: object,
  library = 0,
  isAgain = false,
): Promise<{ id: number; name: string }> {
  const { body } = await employee.ask('POST', '/api/persons/select', contact)
  return giveTo(employee, Number(Reflect.get(body.person ?? {}, 'userId')), library, isAgain)
}

const workoutsOf = async (visitor: Visitor) => (await askMy(visitor, my, '/workouts')).body.workouts

describe('[5.1-consumer] a consumer', () => {
  test('sees the workouts of every contact with that number, in any organization and spelling', async () => {
    const first = await give(ingrid, { customId: 'a-1', lastname: 'Øvergård', ssn: aase.ssn })
    const second = await give(pat, { customId: 'p-9', lastname: 'Overgard', ssn: '128579 48368' }, 1)
    const other = await give(ingrid, { customId: 'b-1', lastname: 'Sæther', ssn: torbjorn.ssn }, 2)
    const { visitor } = await logInToMy(my, aase)
    expect(await workoutsOf(visitor)).toEqual([
      expect.objectContaining({
        id: second.id,
        name: second.name,
        organizationName: 'Harbour Physio',
        givenBy: 'Pat Murphy',
      }),
      expect.objectContaining({
        id: first.id,
        organizationName: 'Fjordklinikken',
        givenBy: 'Ingrid Solberg',
      }),
    ])
    const { body } = await askMy(visitor, my, `/workouts/${first.id}`)
    const { exercises, ...workout } = Object(body.workout)
    expect(workout).toMatchObject({ id: first.id, name: first.name, organizationName: 'Fjordklinikken' })
    expect(exercises[0]).toMatchObject({ position: 1, name: expect.any(String), sets: expect.any(Number) })
    expect(JSON.stringify(body)).not.toMatch(/personId|personName|12857948368|Øvergård/)
    const { visitor: stranger } = await logInToMy(my, torbjorn)
    expect(await workoutsOf(stranger)).toEqual([expect.objectContaining({ id: other.id })])
    // Given again on purpose: the newest copy alone is listed.
    const again = await give(ingrid, { customId: 'b-1', lastname: 'Sæther', ssn: torbjorn.ssn }, 2, true)
    expect(again.id).not.toBe(other.id)
    expect(await workoutsOf(stranger)).toEqual([expect.objectContaining({ id: again.id })])
  })

  test('gets nothing through a page of another log-in in the same browser', async () => {
    const { visitor } = await logInToMy(my, aase)
    const former = Object((await askMy(visitor, my, '/session')).body.consumer).logInId
    await logInToMy(my, torbjorn, visitor)
    const present = Object((await askMy(visitor, my, '/session')).body.consumer).logInId
    const statusFor = async (logInId: string) => {
      const url = `${my.running.service.url}/api/my/workouts`
      const answer = await visitor.go(url, { headers: { 'x-expected-log-in': logInId } })
      return [answer.status, Object(await answer.json()).code]
    }
    expect(await statusFor(former)).toEqual([409, 'ERR_OTHER_LOG_IN'])
    expect(await statusFor(present)).toEqual([200, undefined])
  })

  test('gets no other person’s workout, and no library workout by id', async () => {
    const theirs = await give(ingrid, { customId: 'b-2', lastname: 'Sæther', ssn: torbjorn.ssn })
    const { visitor } = await logInToMy(my, aase)
    const { body } = await ingrid.ask('POST', '/api/workouts/search', {})
    const library = Array.isArray(body.workouts) ? body.workouts[0].id : 0
    for (const id of [theirs.id, library, 999_999, 0, 'x', '1%20or%201'])
      expect(await askMy(visitor, my, `/workouts/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'ERR_NOT_FOUND', title: expect.not.stringContaining(torbjorn.ssn) },
      })
  })

  test('says on which day a workout was done and takes it back; the clinic sees it', async () => {
    const { id } = await give(ingrid, { customId: 'd-1', lastname: 'Øvergård', ssn: aase.ssn })
    const theirs = await give(ingrid, { customId: 'b-3', lastname: 'Sæther', ssn: torbjorn.ssn })
    const { visitor } = await logInToMy(my, aase)
    const day = new Date().toISOString().slice(0, 10)
    const say = (isDone: boolean, more: object = {}, workout = id) =>
      askMy(visitor, my, `/workouts/${workout}/done`, 'PUT', { day, isDone, ...more })
    const seen = async (workout = id) =>
      Object((await ingrid.ask('GET', `/api/workouts/${workout}`)).body.workout).doneDays
    for (let time = 0; time < 2; time++) expect((await say(true)).status).toBe(200)
    expect(await seen()).toEqual([day])
    expect(await workoutsOf(visitor)).toContainEqual(expect.objectContaining({ id, doneDays: [day] }))
    expect(await say(true, { day: '2026-01-01' })).toMatchObject({
      status: 422,
      body: { code: 'ERR_NOT_TODAY' },
    })
    for (const wrong of [{ day: '2026-02-30' }, { day: 1 }, { isDone: 'yes' }])
      expect((await say(true, wrong)).body.code).toBe('ERR_ARGS')
    expect((await say(true, {}, theirs.id)).status).toBe(404)
    expect(await seen(theirs.id)).toEqual([])
    await say(false)
    expect(await seen()).toEqual([])
    const nobody = await askMy(new Visitor(), my, `/workouts/${id}/done`, 'PUT', { day, isDone: true })
    expect(nobody.status).toBe(401)
  })

  test('with a Swedish number sees the workouts of its person in long and short form, of no other century', async () => {
    const eva = { subject: 'eva', ssn: '191504122389', name: 'Eva Ek', level: 'high' } as const
    await using another = await startMy({ persons: [eva] })
    const employee = await logInAs(another.running.service, accounts.ingrid)
    const spellings = ['19150412-2389', '150412+2389']
    const others = ['20150412-2389', '150412-2389', '1504122389']
    const given: number[] = []
    for (const [index, ssn] of [...spellings, ...others].entries()) {
      // Typed by an employee: a sent number would find the person of the other spelling.
      const { body } = await employee.ask('POST', '/api/persons/select', {
        customId: `e-${index}`,
        lastname: 'Ek',
      })
      const { userId } = Object(body.person)
      await employee.send('PATCH', `/api/persons/${userId}`, { ssn })
      const { id } = await giveTo(employee, userId, index)
      if (index < spellings.length) given.push(id)
    }
    const { visitor } = await logInToMy(another, eva)
    const { workouts } = (await askMy(visitor, another, '/workouts')).body
    expect(workouts).toHaveLength(given.length)
    for (const id of given) expect((await askMy(visitor, another, `/workouts/${id}`)).status).toBe(200)
    expect((await askMy(visitor, another, `/workouts/${Math.max(...given) + 1}`)).status).toBe(404)
  })

  test('sees new workouts at once after an employee’s correction of the number', async () => {
    const { visitor } = await logInToMy(my, torbjorn)
    const before = await workoutsOf(visitor)
    const { body } = await ingrid.ask('POST', '/api/persons/select', {
      customId: 'c-1',
      lastname: 'S',
      ssn: '1',
    })
    await give(ingrid, { customId: 'c-1', lastname: 'S' }, 3)
    expect(await workoutsOf(visitor)).toEqual(before)
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    await ingrid.send('PATCH', path, { ssn: torbjorn.ssn })
    expect(await workoutsOf(visitor)).toHaveLength((Array.isArray(before) ? before.length : 0) + 1)
    await ingrid.send('PATCH', path, { ssn: null })
    expect(await workoutsOf(visitor)).toEqual(before)
  })
})

describe('sessions', () => {
  const nobody = { status: 401, body: { code: 'ERR_NOT_SIGNED_IN' } }

  test('without a log-in read no workouts', async () => {
    for (const path of ['/workouts', '/workouts/1'])
      expect(await askMy(new Visitor(), my, path)).toMatchObject(nobody)
  })

  test('of employees do not work in the consumer app, under either cookie name', async () => {
    const value = ingrid.cookie(employeeCookie) ?? ''
    for (const name of [employeeCookie, consumerCookie]) {
      const visitor = new Visitor()
      visitor.put(name, value)
      expect(await askMy(visitor, my, '/workouts')).toMatchObject(nobody)
      expect((await askMy(visitor, my, '/session')).body.consumer).toBeNull()
    }
  })

  test('of consumers do not work for employees, under either cookie name', async () => {
    const { url } = my.running.service
    const { visitor } = await logInToMy(my, aase)
    const value = visitor.cookie(consumerCookie) ?? ''
    for (const name of [employeeCookie, consumerCookie]) {
      const thief = new Visitor()
      thief.put(name, value)
      for (const path of ['/api/exercises/1', '/api/workouts/1', '/api/persons/1']) {
        const answer = await thief.go(`${url}${path}`)
        expect(answer.status).toBe(401)
      }
      const session = await thief.go(`${url}/api/session`)
      expect(await session.json()).toEqual({ employee: null, person: null, contexts: [], ended: null })
    }
  })

  test('of an employee and a consumer in one browser do not interfere', async () => {
    const { url } = my.running.service
    const { visitor } = await logInToMy(my, aase)
    visitor.put(employeeCookie, ingrid.cookie(employeeCookie) ?? '')
    expect((await askMy(visitor, my, '/session')).body.consumer).toMatchObject({ name: aase.name })
    const session = await visitor.go(`${url}/api/session`)
    expect(await session.json()).toMatchObject({ employee: { name: 'Ingrid Solberg' } })
    await askMy(visitor, my, '/sign-out', 'POST')
    expect((await visitor.go(`${url}/api/exercises/1`)).status).toBe(200)
  })

  test('end at the sign-out, even with a kept cookie, and leave nothing in the database', async () => {
    const { visitor } = await logInToMy(my, nora)
    const value = visitor.cookie(consumerCookie) ?? ''
    const count = async () => (await query(my.running, 'select * from consumer_users')).length
    const before = await count()
    const { status, body } = await askMy(visitor, my, '/sign-out', 'POST')
    expect(status).toBe(200)
    expect(visitor.cookie(consumerCookie)).toBeUndefined()
    expect(await count()).toBe(before - 1)
    const thief = new Visitor()
    thief.put(consumerCookie, value)
    expect(await askMy(thief, my, '/workouts')).toMatchObject(nobody)
    const end = new URL(String(body.endSessionUrl))
    expect(end.origin).toBe(my.eId.url)
    expect(Object.fromEntries(end.searchParams)).toEqual({
      client_id: 'my-workouts',
      post_logout_redirect_uri: `${my.running.service.url}/my`,
    })
    const page = await (await visitor.go(end)).text()
    expect(page).toContain('Sign out of the e-ID too?')
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const answer = await visitor.go(`${my.eId.url}/session/end/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    expect(locationOf(answer).href).toBe(`${my.running.service.url}/my`)
  })

  test('end only at the request of the service’s page', async () => {
    const { visitor } = await logInToMy(my, aase)
    const address = `${my.running.service.url}/api/my/sign-out`
    const headers = { origin: my.eId.url, 'sec-fetch-site': 'cross-site' }
    expect((await visitor.go(address, { method: 'POST', headers })).status).toBe(403)
    expect((await visitor.go(address)).status).toBe(404)
    expect((await askMy(visitor, my, '/session')).body.consumer).toMatchObject({ name: aase.name })
  })

  test.each([
    ['without use for half an hour', `update consumer_sessions set "expiresAt" = '2026-01-01T00:00:00.000Z'`],
    ['in use for eight hours', `update consumer_users set "createdAt" = '2026-01-01T00:00:00.000Z'`],
    ['if they began in the future', `update consumer_users set "createdAt" = '2999-01-01T00:00:00.000Z'`],
  ])('expire %s, and do not come back', async (_name, statement) => {
    const { visitor } = await logInToMy(my, aase)
    await query(my.running, statement)
    expect(await askMy(visitor, my, '/workouts')).toMatchObject(nobody)
    const now = new Date().toISOString()
    await query(my.running, `update consumer_users set "createdAt" = '${now}'`)
    expect(await askMy(visitor, my, '/workouts')).toMatchObject(nobody)
  })

  test('expire after the hours of the setting, if these are fewer than eight', async () => {
    const { visitor } = await logInToMy(my, aase)
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
    await query(my.running, `update consumer_users set "createdAt" = '${anHourAgo}'`)
    const cookie = `${consumerCookie}=${visitor.cookie(consumerCookie)}`
    const ask = (url: string) => fetch(`${url}/api/my/workouts`, { headers: { cookie } })
    expect((await ask(my.running.service.url)).status).toBe(200)
    await using strict = await startMy({ service: { ...my.running.storage, sessionHours: 1 } })
    expect((await ask(strict.running.service.url)).status).toBe(401)
  })

  test('are extended by looking at workouts, not by asking for the session', async () => {
    const { visitor } = await logInToMy(my, aase)
    const soon = new Date(Date.now() + 10 * 60_000).toISOString()
    await query(my.running, `update consumer_sessions set "expiresAt" = '${soon}'`)
    const endsInMs = async () => Object((await askMy(visitor, my, '/session')).body.consumer).endsInMs
    expect(await endsInMs()).toBeLessThanOrEqual(10 * 60_000)
    expect(await endsInMs()).toBeLessThanOrEqual(10 * 60_000)
    await workoutsOf(visitor)
    expect(await endsInMs()).toBeGreaterThan(10 * 60_000)
  })

  test('that expired are deleted with the person’s number, and others stay', async () => {
    await logInToMy(my, aase)
    await query(my.running, `update consumer_users set "createdAt" = '2026-01-01T00:00:00.000Z'`)
    const { visitor } = await logInToMy(my, torbjorn)
    // A service cleans up at its start and every minute after.
    await using _other = await startService(my.running.storage)
    const left = await query(my.running, 'select * from consumer_users')
    expect(left).toEqual([expect.objectContaining({ identityNumber: torbjorn.ssn })])
    expect((await askMy(visitor, my, '/session')).body.consumer).toMatchObject({ name: torbjorn.name })
  })

  test('keep neither the person’s network address nor the e-ID’s tokens', async () => {
    await logInToMy(my, aase)
    const rows = await query(my.running, 'select * from consumer_sessions')
    expect(rows.map(({ ipAddress }) => ipAddress)).toEqual(rows.map(() => ''))
    const users = await query(my.running, 'select * from consumer_users')
    expect(JSON.stringify([rows, users])).not.toContain('eyJ')
  })
})
