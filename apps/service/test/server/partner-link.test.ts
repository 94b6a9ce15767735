import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running[Symbol.asyncDispose]())

const link = (client: ApiClient) => confirmLink(client, running)

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

  test('is answered in the language that the browser asks for', async () => {
    const answer = await post(running, await sign(running), { 'accept-language': 'nb-NO' })
    expect(await answer.text()).toContain('<html lang="nb"')
  })

  test('is answered with a page under the web app’s policy, with a nonce', async () => {
    const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
    const policy = policyOf(await post(running, await sign(running)))
    expect(policy).toMatch(/ 'nonce-[\w+/=-]{16,}'/)
    expect(policy.replace(/ 'nonce-[^']*'/, '')).toBe(policyOf(await fetch(running.service.url)))
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
    expect(Object(person).origins).toMatchObject({
      email: { by: 'link', from: 'Nordlys Journal' },
      mobile: { by: 'typed', from: 'Ingrid Solberg' },
    })
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

describe('expired data', () => {
  test('is deleted from the database after the next start', async () => {
    await post(running, await sign(running))
    await running.service.close()
    const tables = ['held_deliveries', 'used_tokens']
    for (const table of tables) await query(running, `update ${table} set expires_at = ${Date.now() - 1}`)
    await using _again = await startService(running.storage)
    for (const table of tables) expect(await query(running, `select * from ${table}`)).toEqual([])
  })
})
