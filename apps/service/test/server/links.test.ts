import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { runInProcess } from '../support/process.ts'
import { query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running[Symbol.asyncDispose]())

const handleOf = async (payload = visit): Promise<string | undefined> =>
  (await readBoot(await post(running, await sign(running, payload)))).handle

async function visitKind(payload = visit): Promise<string> {
  return (await readBoot(await post(running, await sign(running, payload)))).kind
}

const confirm = (client: ApiClient, payload = visit) => confirmLink(client, running, payload)

/** A browser signed in by a link. */
async function comeByLink(payload = visit): Promise<ApiClient> {
  const client = new ApiClient(running.service)
  client.keep(await post(running, await sign(running, payload)))
  return client
}

const linksSchema = z.object({
  links: z.array(
    z.strictObject({
      id: z.string(),
      partnerName: z.string(),
      organizationId: z.string(),
      organizationName: z.nullable(z.string()),
      employeeId: z.string(),
      employeeName: z.nullable(z.string()),
      linkedAt: z.iso.datetime(),
      isNew: z.boolean(),
    }),
  ),
})

const linksOf = async (client: ApiClient) =>
  linksSchema.parse((await client.ask('GET', '/api/partner-links')).body).links

async function linkIngrid(): Promise<ApiClient> {
  const ingrid = await logInAs(running.service, accounts.ingrid)
  expect((await confirm(ingrid)).status).toBe(200)
  return ingrid
}

const newLinks = async (client: ApiClient): Promise<string[]> =>
  (await linksOf(client)).filter(({ isNew }) => isNew).map(({ id }) => id)

describe('a link of a first visit', () => {
  test('is not made by the log-in without a confirmation', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const handle = await handleOf()
    for (const body of [{ handle }, { handle, confirmed: false }, { handle, confirmed: 'true' }])
      expect((await ingrid.ask('POST', '/api/partner-visits', body)).status).toBe(422)
    expect(await visitKind()).toBe('log-in')
    expect((await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(200)
    expect(await visitKind()).toBe('signed-in')
  })
})

describe('a partner’s organization', () => {
  const colleague = { ...visit, employeeId: 'emp-2' }

  test('may link to another one allowed by the operator, and to no third', async () => {
    const pat = await logInAs(running.service, accounts.pat)
    expect((await confirm(await logInAs(running.service, accounts.ingrid))).status).toBe(200)
    const partnerId = running.key.registration.id
    expect(await allow(partnerId, 'org-1', 'No such clinic')).toMatchObject({ code: 2 })
    expect(await allow('no-such-partner', 'org-1', accounts.pat.organization)).toMatchObject({ code: 2 })
    expect(await allow(partnerId)).toMatchObject({ code: 2 })
    expect(await confirm(pat, colleague)).toMatchObject({
      status: 409,
      body: { code: 'ERR_ORGANIZATION_BOUND' },
    })
    expect(await visitKind(colleague)).toBe('log-in')
    const allowed = await allow(partnerId, 'org-1', accounts.pat.organization)
    expect(allowed.errors).toContain('org-1')
    expect(allowed.code).toBe(0)
    expect((await allow(partnerId, 'org-1', accounts.pat.organization)).code).toBe(0)
    expect((await confirm(pat, colleague)).status).toBe(200)
    const rows = await query(
      running,
      "select outcome from audit_entries where event = 'allow-organization' or outcome = 'organization-bound' order by id",
    )
    expect(rows.map(({ outcome }) => outcome)).toEqual(['organization-bound', 'allowed', 'allowed'])
  })

  /** `npm run service -- allow-organization`, while the service runs. */
  async function allow(...args: string[]): Promise<{ code: number; errors: string }> {
    const { dataFolder, databaseUrl = '' } = running.storage
    const file = join(dataFolder, 'partners.json')
    await writeFile(file, JSON.stringify([running.key.registration]))
    const environment = { SERVICE_DATA: dataFolder, DATABASE_URL: databaseUrl, PARTNERS_FILE: file }
    const { ended, output } = runInProcess(environment, 'allow-organization', ...args)
    return { code: await ended, errors: output.join('\n') }
  }
})

describe('the account’s owner', () => {
  test('sees a notice of a new link until dismissing it, but not in the sessions that confirmed it or came by it', async () => {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const before = await logInAs(running.service, accounts.ingrid)
    await confirm(ingrid)
    expect(await newLinks(ingrid)).toEqual([])
    const [id] = await newLinks(before)
    expect(id).toBeTypeOf('string')
    const seen = `/api/partner-links/${id}/seen`
    const attacker = await comeByLink()
    expect(await newLinks(attacker)).toEqual([])
    const samuel = await logInAs(running.service, accounts.samuel)
    expect((await samuel.ask('POST', seen, {})).status).toBe(404)
    const later = await logInAs(running.service, accounts.ingrid)
    expect(await newLinks(later)).toEqual([id])
    expect((await later.ask('POST', seen, {})).status).toBe(200)
    expect(await newLinks(before)).toEqual([])
  })
})

describe('a session that a link made', () => {
  const other = { ...visit, employeeId: 'emp-2' }
  const third = { ...visit, employeeId: 'emp-3' }
  const logInNeeded = { status: 403, body: { code: 'ERR_LOG_IN_NEEDED' } }

  /** An account with two links, their ids, and a session of the first, in a window or in a frame. */
  async function startWithLinks(headers: Record<string, string>) {
    const ingrid = await logInAs(running.service, accounts.ingrid)
    const owner = await logInAs(running.service, accounts.ingrid)
    await confirm(owner)
    const [own = ''] = await newLinks(ingrid)
    await confirm(owner, other)
    const [another = ''] = (await newLinks(ingrid)).filter(id => id !== own)
    const client = new ApiClient(running.service)
    client.keep(await post(running, await sign(running), headers))
    const ask = async (method: string, path: string, sent?: unknown) => {
      const framed: Record<string, string> = 'sec-fetch-dest' in headers ? { 'x-framed': '1' } : {}
      const answer = await client.send(method, path, sent, framed)
      return { status: answer.status, body: await answer.json() }
    }
    return { ingrid, own, another, ask }
  }

  const page = { accept: 'text/html' }
  test.each<[string, Record<string, string>]>([
    ['in a window', page],
    ['in a frame', { ...page, 'sec-fetch-dest': 'iframe' }],
  ])('%s ends its own link alone, and dismisses no notice', async (_, headers) => {
    const registration = { ...running.key.registration, frameOrigins: ['https://journal.example'] }
    await running.service.replacePartners([registration])
    const { ingrid, own, another, ask } = await startWithLinks(headers)
    const answers = {
      'DELETE another': await ask('DELETE', `/api/partner-links/${another}`),
      'seen another': await ask('POST', `/api/partner-links/${another}/seen`, {}),
      'seen own': await ask('POST', `/api/partner-links/${own}/seen`, {}),
      confirm: await ask('POST', '/api/partner-visits', { handle: await handleOf(third), confirmed: true }),
    }
    for (const [name, answer] of Object.entries(answers))
      expect({ [name]: answer }).toMatchObject({ [name]: logInNeeded })
    expect((await newLinks(ingrid)).toSorted()).toEqual([own, another].toSorted())
    expect((await ask('GET', '/api/partner-links')).body.links).toHaveLength(2)
    expect((await ask('DELETE', `/api/partner-links/${own}`)).status).toBe(200)
    expect(await newLinks(ingrid)).toEqual([another])
  })
})

describe('an account’s links to partner applications', () => {
  test('are shown and can be ended: the next visit asks for a log-in again', async () => {
    const ingrid = await linkIngrid()
    const [link, ...others] = await linksOf(ingrid)
    expect(link).toMatchObject({
      partnerName: running.key.registration.name,
      organizationId: visit.organizationId,
      organizationName: visit.organizationName,
      employeeName: 'Ingrid Solberg',
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
    const other = { ...visit, employeeId: 'emp-2' }
    await confirm(ingrid, other)
    const clients = [ingrid, await comeByLink(other), await comeByLink(), await comeByLink()]
    const statuses = () =>
      Promise.all(clients.map(async client => (await client.send('GET', '/api/exercises/1')).status))
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
