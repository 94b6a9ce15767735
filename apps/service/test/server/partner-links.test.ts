import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { accounts } from '../support/accounts.ts'
import { post, readBoot, sign, visit } from '../support/post.ts'
import { ApiClient, logInAs, query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running[Symbol.asyncDispose]())

const linksSchema = z.object({
  links: z.array(
    z.strictObject({
      id: z.string(),
      partnerName: z.string(),
      organizationId: z.string(),
      linkedAt: z.iso.datetime(),
      isNew: z.boolean(),
    }),
  ),
})

async function linksOf(client: ApiClient): Promise<z.output<typeof linksSchema>['links']> {
  return linksSchema.parse((await client.ask('GET', '/api/partner-links')).body).links
}

async function visitKind(): Promise<string> {
  return (await readBoot(await post(running, await sign(running)))).kind
}

async function linkIngrid(): Promise<ApiClient> {
  const { handle } = await readBoot(await post(running, await sign(running)))
  const ingrid = await logInAs(running.service, accounts.ingrid)
  expect((await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(200)
  return ingrid
}

describe('an account’s links to partner applications', () => {
  test('are shown and can be ended: the next visit asks for a log-in again', async () => {
    const ingrid = await linkIngrid()
    const [link, ...others] = await linksOf(ingrid)
    expect(link).toMatchObject({
      partnerName: running.key.registration.name,
      organizationId: visit.organizationId,
    })
    expect(others).toEqual([])
    expect(await visitKind()).toBe('signed-in')

    const ended = await ingrid.send('DELETE', `/api/partner-links/${link?.id}`)
    expect(ended.status).toBe(200)
    expect(await linksOf(ingrid)).toEqual([])
    expect(await visitKind()).toBe('log-in')
    const requestId = ended.headers.get('x-request-id')
    const rows = await query(
      running,
      "select request_id, outcome, employee_digest from audit_entries where event = 'unlink'",
    )
    expect(rows).toEqual([{ request_id: requestId, outcome: 'unlinked', employee_digest: link?.id }])
  })

  test('end with the sessions that they made; other sessions go on', async () => {
    const ingrid = await linkIngrid()
    const comeBy = async (payload = visit) => {
      const client = new ApiClient(running.service)
      client.keep(await post(running, await sign(running, payload)))
      return client
    }
    const other = { ...visit, employeeId: 'emp-2' }
    const { handle } = await readBoot(await post(running, await sign(running, other)))
    await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })
    const clients = [ingrid, await comeBy(other), await comeBy(), await comeBy()]
    const statuses = () =>
      Promise.all(clients.map(async client => (await client.send('GET', '/api/exercises')).status))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const [link] = await linksOf(ingrid)
    expect((await clients[2]?.send('DELETE', `/api/partner-links/${link?.id}`))?.status).toBe(200)
    expect(await statuses()).toEqual([200, 200, 401, 401])
    // The database itself refuses a concurrent post's session.
    await expect(query(running, `update auth_sessions set "linkId" = '${link?.id}'`)).rejects.toThrow(
      /foreign key/i,
    )
  })

  test('can be seen and ended by their account only, and once', async () => {
    const ingrid = await linkIngrid()
    const [link] = await linksOf(ingrid)
    const path = `/api/partner-links/${link?.id}`
    const samuel = await logInAs(running.service, accounts.samuel)
    expect(await linksOf(samuel)).toEqual([])
    expect((await samuel.ask('DELETE', path)).status).toBe(404)
    expect((await new ApiClient(running.service).ask('DELETE', path)).status).toBe(401)
    const foreign = await ingrid.send('DELETE', path, undefined, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect(await visitKind()).toBe('signed-in')
    const statuses = await Promise.all([1, 2, 3].map(async () => (await ingrid.ask('DELETE', path)).status))
    expect(statuses.toSorted()).toEqual([200, 404, 404])
  })
})
