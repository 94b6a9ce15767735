import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { accounts } from '../support/accounts.ts'
import { post, readBoot, sign, visit } from '../support/post.ts'
import { ApiClient, logInAs, query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running[Symbol.asyncDispose]())

const _linkSchema = z.object({ url: z.url() })

/** First visit and log-in. */
async function link(
  client: ApiClient,
  payload = visit,
  from = running,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { handle } = await readBoot(await post(from, await sign(from, payload)))
  return client.ask('POST', '/api/partner-visits', { handle, confirmed: true })
}

async function personsWith(client: ApiClient, customId: string): Promise<unknown[]> {
  const { persons } = (await client.ask('POST', '/api/persons/search', { customId })).body
  if (!Array.isArray(persons)) throw new TypeError('The service gave no list.')
  return Promise.all(
    persons.map(async ({ userId }) => (await client.ask('GET', `/api/persons/${userId}`)).body.person),
  )
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
    const { status, body } = await ingrid.ask('POST', '/api/partner-visits', {
      handle: boot.handle,
      confirmed: true,
    })
    expect(status).toBe(200)
    expect(body.contact).toMatchObject({ kind: 'created' })
    expect(await personsWith(ingrid, 'c-1')).toMatchObject([
      { lastname: 'Øvergård', dateOfBirth: '1979-05-12' },
    ])
  })

  test('is answered with a page under the web app’s policy, with a nonce', async () => {
    const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
    const policy = policyOf(await post(running, await sign(running)))
    expect(policy).toMatch(/ 'nonce-[\w+/=-]{16,}'/)
    expect(policy.replace(/ 'nonce-[^']*'/, '')).toBe(policyOf(await fetch(running.service.url)))
  })

  test('a waiting visit takes effect once, and only with a log-in', async () => {
    const { handle } = await readBoot(await post(running, await sign(running)))
    const stranger = new ApiClient(running.service)
    expect((await stranger.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(401)
    const ingrid = await logInAs(running.service, accounts.ingrid)
    expect((await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(200)
    expect(await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).toMatchObject({
      status: 410,
      body: { code: 'ERR_VISIT_GONE' },
    })
  })
})

describe('later visits', () => {
  test('[1-first-visit] need no log-in: the session works and the contact is in focus', async () => {
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

  test('store the address of the connection, not one that the caller states', async () => {
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

  test('[2.1-contact] data fill empty fields and never overwrite a user’s text', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const { body } = await link(ingrid)
    const id = Reflect.get(body.contact ?? {}, 'contactId')
    await ingrid.ask('PATCH', `/api/persons/${id}`, { mobile: 'Typed' })
    const contact = { ...visit.contact, ssn: '12857948368', email: 'aase@example.com', mobile: '+47 1' }
    await post(running, await sign(running, { ...visit, contact }))
    expect(await personsWith(ingrid, 'c-1')).toMatchObject([
      { mobile: 'Typed', email: 'aase@example.com', ssn: '12857948368' },
    ])
    const [person] = await personsWith(ingrid, 'c-1')
    expect(Object(person).origins).toMatchObject({ email: { from: 'Nordlys Journal' } })
    expect(Object(person).origins).not.toHaveProperty('mobile')
  })

  test('[2.3-custom-id] an ID from a wrapper’s command matches a person of the same name', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    await link(ingrid)
    const { body } = await ingrid.ask('POST', '/api/persons/select', {
      customId: 'w-1',
      firstname: 'Anna',
      lastname: 'Berg',
    })
    const contactId = String(Reflect.get(body.person ?? {}, 'userId'))
    const send = async (contact: object) =>
      (
        await readBoot(
          await post(running, await sign(running, { ...visit, contact: { id: 'w-1', ...contact } })),
        )
      ).contact
    expect(await send({ firstname: 'ANNA', lastname: 'Berg', email: 'anna@example.com' })).toEqual({
      kind: 'selected',
      contactId,
    })
    expect(await send({})).toEqual({ kind: 'selected', contactId })
  })

  test('[2.3-custom-id] an ID from a wrapper’s command never selects a person of another name', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    await link(ingrid)
    const person = { customId: 'w-1', firstname: 'Anna', lastname: 'Berg' }
    await ingrid.ask('POST', '/api/persons/select', person)
    const contact = { id: 'w-1', firstname: 'Bo', lastname: 'Dahl', ssn: '12857948368' }
    const boot = await readBoot(await post(running, await sign(running, { ...visit, contact })))
    expect(boot.contact?.kind).toBe('created')
    const known = await ingrid.ask('POST', '/api/persons/search', { text: 'Berg' })
    expect(known.body.persons).toMatchObject([{ firstname: 'Anna', lastname: 'Berg' }])
    expect(await personsWith(ingrid, 'w-1')).toContainEqual(
      expect.not.objectContaining({ ssn: expect.anything() }),
    )
  })

  test('[2.3-custom-id] the partner’s ID stays beside one of `setcustomid` until an employee corrects it', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const { body } = await link(ingrid)
    const contactId = String(Reflect.get(body.contact ?? {}, 'contactId'))
    const send = async () => (await readBoot(await post(running, await sign(running)))).contact
    await ingrid.ask('PUT', `/api/persons/${contactId}/custom-id`, { customId: 'w-1' })
    expect(await send()).toEqual({ kind: 'selected', contactId })
    await ingrid.ask('PATCH', `/api/persons/${contactId}`, { customId: 'w-2' })
    expect((await send())?.kind).toBe('created')
  })
})

describe('[2.3-custom-id] an ID used by two partners', () => {
  const anna = { id: 'X', firstname: 'Anna', lastname: 'Berg' }
  const bo = {
    id: 'X',
    firstname: 'Bo',
    lastname: 'Dahl',
    ssn: '12857948368',
    birthdate: '1979-05-12',
    email: 'bo@example.com',
  }

  /** A service with two partners; their employees share one account. */
  async function startBoth(resources: AsyncDisposableStack) {
    const keys = [await createPartnerKey('alpha'), await createPartnerKey('beta')] as const
    const started = resources.use(
      await startService({ partners: keys.map(({ registration }) => registration) }),
    )
    const ingrid = await logInAs(started.service, accounts.ingrid)
    const [alpha, beta] = [
      { ...started, key: keys[0] },
      { ...started, key: keys[1] },
    ] as const
    const send = async (from: RunningService, contact: typeof visit.contact) =>
      (await readBoot(await post(from, await sign(from, { ...visit, contact })))).contact
    for (const [index, from] of [alpha, beta].entries())
      await link(ingrid, { ...visit, contact: { id: `first-${index}` } }, from)
    return { ingrid, alpha, beta, send }
  }

  test('leaves the choice to the user when a wrapper’s command sends it without a partner', async () => {
    await using resources = new AsyncDisposableStack()
    const { ingrid, alpha, beta, send } = await startBoth(resources)
    const made = [await send(alpha, anna), await send(beta, bo)]
    const person = { customId: 'X', firstname: 'Bo', lastname: 'Dahl', mobile: '+47 1' }
    const answer = await ingrid.ask('POST', '/api/persons/select', person)
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'ERR_AMBIGUOUS_PERSON',
        candidateIds: made.map(contact => Number(contact?.contactId)),
      },
    })
    expect(JSON.stringify(await personsWith(ingrid, 'X'))).not.toContain('+47 1')
  })

  test('is stored beside the other partner’s ID when the identity number matches', async () => {
    await using resources = new AsyncDisposableStack()
    const { ingrid, alpha, beta, send } = await startBoth(resources)
    const made = await send(alpha, { ...bo, id: 'A-1' })
    const selected = { ...made, kind: 'selected' }
    expect(await send(beta, { ...bo, id: 'B-1' })).toEqual(selected)
    expect(await send(alpha, { id: 'A-1' })).toEqual(selected)
    expect(await send(beta, { id: 'B-1' })).toEqual(selected)
    expect(await personsWith(ingrid, 'B-1')).toMatchObject([{ userId: Number(made?.contactId) }])
    expect((await send(beta, { id: 'A-1' }))?.kind).toBe('created')
  })
})

describe('one use', () => {
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
})

describe('expired data', () => {
  /** Makes all held visits and used tokens expire. */
  async function expireAll(): Promise<void> {
    for (const table of ['held_deliveries', 'used_tokens'])
      await query(running, `update ${table} set expires_at = ${Date.now() - 1}`)
  }

  async function countRows(table: 'held_deliveries' | 'used_tokens'): Promise<number> {
    const [row] = await query(running, `select count(*) as count from ${table}`)
    return Number(row?.count)
  }

  test('is deleted from the database after the next start', async () => {
    await post(running, await sign(running))
    await running.service.close()
    await expireAll()
    await using _again = await startService(running.storage)
    expect([await countRows('held_deliveries'), await countRows('used_tokens')]).toEqual([0, 0])
  })
})
