import { randomUUID } from 'node:crypto'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { exercises, workouts } from '../../src/server/workouts/library.ts'
import { type ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { query, type RunningService, startService } from '../support/service.ts'

const namesSchema = z.array(z.object({ name: z.string() })).transform(rows => rows.map(({ name }) => name))
const personsSchema = z.object({
  total: z.number(),
  persons: z.array(z.object({ userId: z.number(), lastname: z.string().nullable() })),
})

let running: RunningService
let ingrid: ApiClient

beforeAll(async () => {
  running = await startService()
  ingrid = await logInAs(running.service, accounts.ingrid)
})
afterAll(() => running[Symbol.asyncDispose]())

const make = (customId: string, firstname: string, lastname: string, dateOfBirth?: string) =>
  ingrid.ask('POST', '/api/persons/select', { customId, firstname, lastname, dateOfBirth })

const search = async (text: string, page: object = {}) =>
  personsSchema.parse((await ingrid.ask('POST', '/api/persons/search', { text, ...page })).body)

describe('a list in pages', () => {
  test('has its total, and each person on one page', async () => {
    for (let index = 0; index < 23; index++) await make(`page-${index}`, `First${index % 3}`, 'Paged')
    const pages = await Promise.all([0, 10, 20, 30].map(offset => search('paged', { offset, limit: 10 })))
    expect(pages.map(({ total, persons }) => [total, persons.length])).toEqual([
      [23, 10],
      [23, 10],
      [23, 3],
      [23, 0],
    ])
    const ids = pages.flatMap(({ persons }) => persons.map(({ userId }) => userId))
    expect(new Set(ids).size).toBe(23)
  })

  test('is in the order of Norwegian', async () => {
    const names = ['Ås', 'Berg', 'Zahl', 'Øst', 'Ærø', 'Aas', 'Li', 'Łund', 'Lund', 'Li-Berg']
    for (const name of names) await make(`sorted-${name}`, 'Sorted', name)
    const { persons } = await search('sorted')
    const order = ['Berg', 'Li', 'Li-Berg', 'Łund', 'Lund', 'Zahl', 'Ærø', 'Øst', 'Ås', 'Aas']
    expect(persons.map(({ lastname }) => lastname)).toEqual(order)
  })

  test('holds no identity number, diagnosis or profile data', async () => {
    const person = { customId: 'quiet', firstname: 'Ida', lastname: 'Quiet', ssn: '24889312579' }
    const profileData = [{ key: 'weight', value: '81' }]
    await ingrid.ask('POST', '/api/persons/select', { ...person, diagnosis: 'L15', profileData })
    const { body } = await ingrid.ask('POST', '/api/persons/search', { text: 'quiet' })
    expect(JSON.stringify(body)).not.toMatch(/24889312579|L15|weight|customId/)
  })

  test('of exercises is complete, by name or by rank', async () => {
    const read = async (text: string) => {
      const found: string[] = []
      for (let offset = 0; ; offset += 40) {
        const { body } = await ingrid.ask('POST', '/api/exercises/search', { text, offset, limit: 40 })
        const names = namesSchema.parse(body.exercises)
        found.push(...names)
        if (names.length < 40) return [found, body.total]
      }
    }
    const [all] = await read('')
    expect(new Set(Array.isArray(all) ? all : []).size).toBe(exercises.length)
    const [best, total] = await read('hip')
    expect(Array.isArray(best) ? new Set(best).size : 0).toBe(total)
  })

  test('[4.5-getlistofusers] a wrapper’s list has every person of the organization, however many', async () => {
    const { total } = await search('', { limit: 1 })
    const { body } = await ingrid.ask('POST', '/api/persons/all', {})
    expect(body.users).toHaveLength(total)
    const { body: one } = await ingrid.ask('POST', '/api/persons/all', { customId: 'page-7' })
    expect(one.users).toMatchObject([{ customId: 'page-7', firstname: 'First1', email: null }])
  })

  test.each([{ offset: -1 }, { limit: 0 }, { limit: 1000 }, { offset: 'x' }])('%j is refused', async page => {
    expect((await ingrid.ask('POST', '/api/persons/search', page)).status).toBe(422)
  })
})

describe('a search', () => {
  beforeAll(async () => {
    await make('f-1', 'Øyvind', 'Ødegård', '1984-02-29')
    await make('f-2', 'Oyvind', 'Odegard', '1984-03-29')
    await make('f-3', 'Łukasz', 'Groß', '1990-05-01')
    await make('f-4', 'Åse', 'Sæther', '1979-10-12')
    await make('f-5', 'Aase', 'Saether', '1979-12-10')
    await make('f-6', 'Гульнара', 'Ёлкина')
    await make('zz-7', 'José', 'Oʼbrien')
  })

  test.each([
    ['oyvind', 'Ødegård', 'Odegard'],
    ['Øyvind', 'Ødegård', 'Odegard'],
    ['ODEGARD', 'Ødegård', 'Odegard'],
    ['lukasz gross', 'Groß'],
    ['Łukasz Groß', 'Groß'],
    ['ase sæt', 'Sæther', 'Saether'],
    ['Aase Saether', 'Sæther', 'Saether'],
    ['1984-02-29', 'Ødegård'],
    ['29.02.1984', 'Ødegård'],
    ['29.2.1984', 'Ødegård'],
    ['29/02/1984', 'Ødegård'],
    ['29 Feb 1984', 'Ødegård'],
    ['29. feb. 1984', 'Ødegård'],
    ['Feb 29, 1984', 'Ødegård'],
    ['29. februar 1984', 'Ødegård'],
    ['1. mai 1990', 'Groß'],
    ['1 May 1990', 'Groß'],
    ['12. okt. 1979', 'Sæther'],
    ['10 Dec 1979', 'Saether'],
    ['10. des. 1979', 'Saether'],
    ['1984', 'Ødegård', 'Odegard'],
    ['29.02', 'Ødegård'],
    ['29 Foo 1984'],
    ['гульн', 'Ёлкина'],
    ["jose o'brien", 'Oʼbrien'],
    ['zz-7', 'Oʼbrien'],
  ])('for %j finds %j', async (text, ...lastnames) => {
    const { total, persons } = await search(text)
    expect(persons.map(({ lastname }) => lastname).sort()).toEqual(lastnames.sort())
    expect(total).toBe(lastnames.length)
  })

  test.each([
    ['squats', /squat/i],
    ['lunges', /lunge/i],
    ['presses', /press/i],
    ['stretches', /stretch/i],
    ['bridges', /bridge/i],
  ])('for the plural %s finds what the singular finds', async (plural, pattern) => {
    const { body } = await ingrid.ask('POST', '/api/exercises/search', { text: plural })
    const [first] = namesSchema.parse(body.exercises)
    expect(first).toMatch(pattern)
    const singular = plural.replace(/(?<=ss|ch)es$|s$/, '')
    expect(body.total).toBe(
      (await ingrid.ask('POST', '/api/exercises/search', { text: singular })).body.total,
    )
  })
})

describe('the library in Norwegian', () => {
  const read = async (path: string, text: string, language = 'nb') => {
    const answer = await ingrid.send('POST', path, { text, limit: 200 }, { 'accept-language': language })
    const { exercises: found, workouts: given = found } = await answer.json()
    return namesSchema.parse(given)
  }

  test.each([
    ['/api/exercises/search', exercises],
    ['/api/workouts/search', workouts],
  ])('%s answers with Norwegian names in their alphabet’s order', async (path, library) => {
    const { compare } = new Intl.Collator('nb')
    expect(await read(path, '')).toEqual(library.map(({ nb }) => nb.name).sort(compare))
  })

  test.each([
    ['knebøy', 'Knebøy til stol'],
    ['squat to chair', 'Knebøy til stol'],
    ['manualer', 'Sidehev'],
  ])('a search for %s finds words of both languages', async (text, name) => {
    const found = await read('/api/exercises/search', text)
    expect(found).toContain(name)
    expect(await read('/api/exercises/search', text, 'en')).toHaveLength(found.length)
  })
})

describe('giving a workout', () => {
  const personOf = async (customId: string) => {
    const { body } = await make(customId, 'A', customId)
    return Number(Object(body.person).userId)
  }
  const give = (personId: number, more: object = {}, id = 1) =>
    ingrid.ask('POST', `/api/workouts/${id}/give`, { personId, key: randomUUID(), ...more })
  const idOf = ({ body }: Awaited<ReturnType<typeof give>>) => Number(Object(body.workout).id)
  const countOf = async (userId: number) =>
    Object((await ingrid.ask('POST', '/api/workouts/for-person', { userId })).body).workouts.length

  test('two requests of one intent, at once or later, give one copy', async () => {
    const personId = await personOf('g-1')
    const key = randomUUID()
    const answers = await Promise.all([give(personId, { key }), give(personId, { key })])
    const late = await give(personId, { key })
    expect([...answers, late].map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set([...answers, late].map(idOf)).size).toBe(1)
    expect(await countOf(personId)).toBe(1)
  })

  test('a given workout names the person in full; a program gets the names that it knows', async () => {
    const person = { customId: 'g-0', firstname: 'Åse', middlename: 'Marie', lastname: 'Øvergård' }
    const { userId } = Object((await ingrid.ask('POST', '/api/persons/select', person)).body.person)
    expect((await give(userId)).body.workout).toMatchObject({ personName: 'Åse Marie Øvergård' })
    const { body } = await ingrid.ask('POST', '/api/workouts/for-person', { userId })
    expect(body.workouts).toMatchObject([{ executorName: 'Åse Øvergård' }])
  })

  test('two clicks at once give one copy; the second is told of the first', async () => {
    const personId = await personOf('g-2')
    const answers = await Promise.all([give(personId), give(personId)])
    expect(answers.map(({ body }) => body.kind).sort()).toEqual(['already-given', 'given'])
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(await countOf(personId)).toBe(1)
  })

  test('a second copy needs an intent of its own, also for the copy of a copy', async () => {
    const [first, second] = [await personOf('g-3'), await personOf('g-4')]
    const copy = idOf(await give(first))
    expect((await give(first)).body).toMatchObject({ kind: 'already-given', workout: { id: copy } })
    expect((await give(first, { isAgain: true })).body.kind).toBe('given')
    expect(await countOf(first)).toBe(2)
    expect((await give(second, {}, copy)).body).toMatchObject({ kind: 'given', workout: { givenFrom: 1 } })
    expect((await give(second)).body.kind).toBe('already-given')
  })

  test('can be undone for a while; nobody sees the copy then, and a late repetition gives nothing', async () => {
    const personId = await personOf('g-5')
    const key = randomUUID()
    const copy = idOf(await give(personId, { key }))
    const pat = await logInAs(running.service, accounts.pat)
    expect((await pat.ask('POST', `/api/workouts/${copy}/withdraw`)).status).toBe(404)
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await ingrid.ask('POST', `/api/workouts/${copy}/withdraw`)).status).toBe(200)
    expect((await ingrid.ask('GET', `/api/workouts/${copy}`)).status).toBe(404)
    expect(await countOf(personId)).toBe(0)
    expect((await give(personId, { key })).status).toBe(404)
    expect((await give(personId)).body.kind).toBe('given')
  })

  test.each(['created_at', 'updated_at'])('cannot be undone later: %s', async column => {
    const copy = idOf(await give(await personOf(`g-6 ${column}`)))
    await query(running, `update workouts set ${column} = '2026-01-01T00:00:00.000Z' where id = ${copy}`)
    expect(await ingrid.ask('POST', `/api/workouts/${copy}/withdraw`)).toMatchObject({
      status: 409,
      body: { code: 'ERR_TOO_LATE' },
    })
  })

  test('the library cannot be withdrawn', async () => {
    expect((await ingrid.ask('POST', '/api/workouts/1/withdraw')).status).toBe(404)
  })
})

describe('the origin of a field', () => {
  test('is the way of its program until an employee types it; an emptied field has none', async () => {
    const profileData = [{ key: 'weight', value: '81' }]
    const person = { customId: 'o-1', firstname: 'A', mobile: '1', email: 'a@b.example', profileData }
    const { body } = await ingrid.ask('POST', '/api/persons/select?by=pipe', person)
    const { userId, origins } = Object(body.person)
    const pipe = { by: 'pipe', from: null, at: expect.stringMatching(/^\d{4}-/) }
    expect(origins).toEqual({ customId: pipe, firstname: pipe, mobile: pipe, email: pipe, profileData: pipe })
    const change = { mobile: '2', diagnosis: 'L15', email: null }
    const changed = await ingrid.ask('PATCH', `/api/persons/${userId}`, change)
    const typed = { ...pipe, by: 'typed', from: 'Ingrid Solberg' }
    expect(Object(changed.body.person).origins).toEqual({
      customId: pipe,
      firstname: pipe,
      profileData: pipe,
      mobile: typed,
      diagnosis: typed,
    })
    const renamed = await ingrid.ask('PUT', `/api/persons/${userId}/custom-id`, { customId: 'o-2' })
    expect(Object(renamed.body.person).origins).toMatchObject({ customId: { by: 'program' } })
  })

  test('is no way that there is not', async () => {
    const { status } = await ingrid.ask('POST', '/api/persons/select?by=magic', { customId: 'o-9' })
    expect(status).toBe(422)
  })
})

describe('the persons that an employee worked with last', () => {
  const recent = async (client: ApiClient, personId?: number) => {
    const { body } = await client.ask('POST', '/api/persons/recent', { personId })
    return z
      .array(z.object({ userId: z.number() }))
      .parse(body.persons)
      .map(({ userId }) => userId)
  }

  test('are the newest five, each once, and of nobody else', async () => {
    const ids: number[] = []
    for (let index = 0; index < 7; index++) {
      const { body } = await make(`recent-${index}`, 'Recent', `Nr${index}`)
      ids.push(Number(Object(body.person).userId))
    }
    for (const id of ids) await recent(ingrid, id)
    const [, , third, fourth, fifth, sixth, seventh] = ids
    expect(await recent(ingrid, third)).toEqual([third, seventh, sixth, fifth, fourth])
    expect(await recent(ingrid)).toEqual([third, seventh, sixth, fifth, fourth])
    // Those of one moment have an order too.
    await query(running, "update recent_persons set at = '2026-01-01T00:00:00.000Z'")
    expect(await recent(ingrid)).toEqual([seventh, sixth, fifth, fourth, third])
    expect(await recent(await logInAs(running.service, accounts.samuel))).toEqual([])
  })

  test('are of the organization only', async () => {
    const { persons } = await search('recent')
    const pat = await logInAs(running.service, accounts.pat)
    expect(await recent(pat, persons[0]?.userId)).toEqual([])
  })
})

describe('a save', () => {
  test('a field that somebody else changed meanwhile is not overwritten; the refusal names the fields', async () => {
    const { body } = await ingrid.ask('POST', '/api/persons/select', {
      customId: 'shared',
      firstname: 'A',
      mobile: '1',
      email: 'a@b.example',
    })
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    const edit = (seen: object, fields: object) => ingrid.ask('PATCH', path, { ...fields, seen })
    expect((await edit({ mobile: '1' }, { mobile: '2' })).status).toBe(200)
    const refused = await edit({ mobile: '1', email: 'a@b.example' }, { mobile: '3', email: null })
    expect(refused.body).toEqual({
      type: docsUrlOf('ERR_CHANGED_MEANWHILE'),
      status: 409,
      code: 'ERR_CHANGED_MEANWHILE',
      title: 'Somebody else has changed these fields meanwhile.',
      requestId: expect.any(String),
      issues: [{ path: 'mobile', problem: 'has changed' }],
    })
    expect((await ingrid.ask('GET', path)).body.person).toMatchObject({ mobile: '2', email: 'a@b.example' })
    // Another field, the same value twice, and a value that was seen.
    expect((await edit({ email: 'a@b.example' }, { email: 'c@d.example' })).status).toBe(200)
    expect((await edit({ mobile: '1' }, { mobile: '2' })).status).toBe(200)
    expect((await edit({ mobile: '2' }, { mobile: null })).body.person).not.toHaveProperty('mobile')
    // An emptied field is a change too.
    expect((await edit({ mobile: '2' }, { mobile: '4' })).body.issues).toMatchObject([{ path: 'mobile' }])
  })

  test('of twenty saves at once that saw the same, one is written', async () => {
    const { body } = await ingrid.ask('POST', '/api/persons/select', {
      customId: 'raced',
      firstname: 'A',
      mobile: 'seen',
    })
    const path = `/api/persons/${Reflect.get(body.person ?? {}, 'userId')}`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ingrid.ask('PATCH', path, { mobile: `typed ${index}`, seen: { mobile: 'seen' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})
