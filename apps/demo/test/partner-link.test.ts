import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { post, readBoot, sign, visit } from './_post.ts'
import { ApiClient, accounts, logInAs, query, type RunningService, startService } from './_service.ts'

let running: RunningService
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running[Symbol.asyncDispose]())

const linkSchema = z.object({ url: z.url() })

/** First visit and log-in. */
async function link(
  client: ApiClient,
  payload = visit,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { handle } = await readBoot(await post(running, await sign(running, payload)))
  return client.ask('POST', '/api/partner-visits', { handle })
}

async function personsWith(client: ApiClient, customId: string): Promise<unknown> {
  return (await client.ask('POST', '/api/persons/search', { customId })).body.persons
}

describe('first visit', () => {
  test('[1-first-visit] is answered with the log-in, which links the employee and puts the contact in focus', async () => {
    const answer = await post(running, await sign(running))
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    const boot = await readBoot(answer)
    expect(boot.kind).toBe('log-in')
    const ingrid = await logInAs(running.service, accounts.ingrid)
    expect(await personsWith(ingrid, 'c-1')).toEqual([])
    const { status, body } = await ingrid.ask('POST', '/api/partner-visits', { handle: boot.handle })
    expect(status).toBe(200)
    expect(body.contact).toMatchObject({ kind: 'created' })
    expect(await personsWith(ingrid, 'c-1')).toMatchObject([
      { lastname: 'Øvergård', dateOfBirth: '1979-05-12' },
    ])
  })

  test('is answered with a page under the web app’s own policy, and a nonce', async () => {
    const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
    const policy = policyOf(await post(running, await sign(running)))
    expect(policy).toMatch(/ 'nonce-[\w+/=-]{16,}'/)
    expect(policy.replace(/ 'nonce-[^']*'/, '')).toBe(policyOf(await fetch(running.service.url)))
  })

  test('a waiting visit takes effect once, and not without a log-in', async () => {
    const { handle } = await readBoot(await post(running, await sign(running)))
    const stranger = new ApiClient(running.service)
    expect((await stranger.ask('POST', '/api/partner-visits', { handle })).status).toBe(401)
    const ingrid = await logInAs(running.service, accounts.ingrid)
    expect((await ingrid.ask('POST', '/api/partner-visits', { handle })).status).toBe(200)
    expect(await ingrid.ask('POST', '/api/partner-visits', { handle })).toMatchObject({
      status: 410,
      body: { code: 'ERR_VISIT_GONE' },
    })
  })

  test('an employee who is linked to one account is never linked to a second', async () => {
    const waiting = await readBoot(await post(running, await sign(running)))
    expect((await link(await logInAs(running.service, accounts.ingrid))).status).toBe(200)
    const samuel = await logInAs(running.service, accounts.samuel)
    expect(await samuel.ask('POST', '/api/partner-visits', { handle: waiting.handle })).toMatchObject({
      status: 409,
      body: { code: 'ERR_LINKED_ELSEWHERE' },
    })
  })
})

describe('later visits', () => {
  test('[1-first-visit] come straight in, with a session that works and the contact in focus', async () => {
    await link(await logInAs(running.service, accounts.ingrid))
    const contact = { id: 'c-2', firstname: 'Дмитро', lastname: 'Шевчук' }
    const answer = await post(running, await sign(running, { ...visit, contact }))
    const visitor = new ApiClient(running.service)
    visitor.keep(answer)
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-.*Secure.*SameSite=Lax/)
    const boot = await readBoot(answer)
    expect(boot).toMatchObject({ kind: 'signed-in', contact: { kind: 'created' } })
    expect((await visitor.ask('GET', '/api/session')).body.employee).toMatchObject({ name: 'Ingrid Solberg' })
    const person = await visitor.ask('GET', `/api/persons/${boot.contact?.contactId}`)
    expect(person.body.person).toMatchObject({ customId: 'c-2', firstname: 'Дмитро' })
  })

  test('make a session with the address of the connection, not with one that the caller states', async () => {
    await link(await logInAs(running.service, accounts.ingrid))
    const answer = await fetch(`${running.service.url}/partner/payload`, {
      method: 'POST',
      headers: { 'x-client-address': '203.0.113.9' },
      body: new URLSearchParams({ payload: await sign(running) }),
    })
    expect((await readBoot(answer)).kind).toBe('signed-in')
    const addresses = await query(running, 'select distinct "ipAddress" from auth_sessions')
    expect(addresses).toEqual([{ ipAddress: '127.0.0.1' }])
  })

  test('the same employee ID in another organization is somebody else', async () => {
    await link(await logInAs(running.service, accounts.ingrid))
    const answer = await post(running, await sign(running, { ...visit, organizationId: 'org-2' }))
    expect((await readBoot(answer)).kind).toBe('log-in')
  })

  test('[2.1-contact] extra data fill empty fields and never overwrite what a user typed', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const { body } = await link(ingrid)
    const id = Reflect.get(body.contact ?? {}, 'contactId')
    await ingrid.ask('PATCH', `/api/persons/${id}`, { firstname: 'Typed' })
    const contact = { ...visit.contact, ssn: '12857948392', email: 'aase@example.com', mobile: '+47 1' }
    await post(running, await sign(running, { ...visit, contact }))
    expect(await personsWith(ingrid, 'c-1')).toMatchObject([
      { firstname: 'Typed', email: 'aase@example.com', ssn: '12857948392' },
    ])
  })

  test('a contact that came under another ID is found by its identity number', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const contact = { ...visit.contact, ssn: '12857948392' }
    await link(ingrid, { ...visit, contact })
    const answer = await post(
      running,
      await sign(running, { ...visit, contact: { ...contact, id: 'another' } }),
    )
    expect((await readBoot(answer)).contact).toMatchObject({ kind: 'selected' })
    expect(await personsWith(ingrid, 'another')).toEqual([])
  })

  test('[2.3-custom-id] where several persons have the ID, the page is given the choice', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    await link(ingrid)
    const { body } = await ingrid.ask('POST', '/api/persons/select', {
      customId: 'x',
      firstname: 'Other',
      lastname: 'One',
    })
    const userId = Reflect.get(body.person ?? {}, 'userId')
    await ingrid.ask('PUT', `/api/persons/${userId}/custom-id`, { customId: 'c-1' })
    const boot = await readBoot(await post(running, await sign(running)))
    expect(boot.contact).toMatchObject({
      kind: 'choose',
      candidates: [{ lastname: 'Øvergård' }, { lastname: 'One' }],
    })
  })

  test('twenty posts at once for one new person make one person', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    await link(ingrid)
    const contact = { id: 'rush', firstname: 'One', lastname: 'Person' }
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sign(running, { ...visit, contact })))
    const answers = await Promise.all(tokens.map(token => post(running, token)))
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
    expect(await personsWith(ingrid, 'rush')).toHaveLength(1)
  })
})

describe('one use', () => {
  test('[5.1-signed] of ten posts of one token at once exactly one is accepted', async () => {
    const token = await sign(running)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(running, token, 'application/problem+json')),
    )
    const statuses = answers.map(answer => answer.status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 401)])
  })

  test('a token stays used after a restart of the service', async () => {
    const token = await sign(running)
    expect((await post(running, token)).status).toBe(200)
    await running.service.close()
    await using again = await startService({
      publicUrl: running.service.url,
      ...running.storage,
      partners: [running.key.registration],
    })
    const answer = await fetch(`http://127.0.0.1:${again.service.port}/partner/payload`, {
      method: 'POST',
      headers: { accept: 'application/problem+json' },
      body: new URLSearchParams({ payload: token }),
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'ERR_PAYLOAD_REPLAYED' })
  })

  test('[4.1-direct] a program that asks for JSON gets a URL, which opens the page once', async () => {
    await link(await logInAs(running.service, accounts.ingrid))
    const answer = await post(running, await sign(running), 'application/json')
    const { url } = linkSchema.parse(await answer.json())
    const opened = await fetch(url)
    expect(opened.status).toBe(200)
    expect((await readBoot(opened)).kind).toBe('signed-in')
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(400)
  })

  test('nothing of a refused payload takes effect', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    await link(ingrid)
    const token = await sign(running, { ...visit, contact: { id: 'forged', firstname: 'A', lastname: 'B' } })
    const [head = '', body = ''] = token.split('.')
    const answer = await post(running, `${head}.${body}.${'A'.repeat(86)}`, 'application/problem+json')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'ERR_PAYLOAD_SIGNATURE' })
    expect(await personsWith(ingrid, 'forged')).toEqual([])
  })
})

describe('what has expired', () => {
  /** Lets the time of all that is held and remembered be over. */
  async function expireAll(): Promise<void> {
    for (const table of ['held_deliveries', 'used_tokens'])
      await query(running, `update ${table} set expires_at = ${Date.now() - 1}`)
  }

  async function countRows(table: 'held_deliveries' | 'used_tokens'): Promise<number> {
    const [row] = await query(running, `select count(*) as count from ${table}`)
    return Number(row?.count)
  }

  test('is gone from the database after the next start', async () => {
    await post(running, await sign(running))
    await running.service.close()
    await expireAll()
    await using _again = await startService(running.storage)
    expect([await countRows('held_deliveries'), await countRows('used_tokens')]).toEqual([0, 0])
  })
})
