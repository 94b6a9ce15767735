import { employeeDigestOf, type PartnerRegistration } from '@service-link/receiver'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { query, startService } from '../support/service.ts'

const page = { accept: 'text/html' }
const json = { accept: 'application/json' }

/** Two partners with the same employee, each linked to Ingrid's account; the first may end. */
async function start() {
  await using resources = new AsyncDisposableStack()
  const [key, otherKey] = [await createPartnerKey(), await createPartnerKey()]
  const first: PartnerRegistration = { ...key.registration, ends: true }
  const second = { ...otherKey.registration, id: 'second', issuer: 'https://second.example', ends: true }
  const running = { ...resources.use(await startService({ partners: [first, second] })), key }
  const other = { service: running.service, key: { ...otherKey, issuer: 'https://second.example' } }
  const password = await logInAs(running.service, accounts.ingrid)
  for (const posting of [running, other]) expect((await confirmLink(password, posting)).status).toBe(200)
  const comeBy = async (posting: typeof other) => {
    const client = new ApiClient(running.service)
    client.keep(await post(posting, await sign(posting), page))
    return client
  }
  const clients = { password, first: await comeBy(running), second: await comeBy(other) }
  const owned = resources.move()
  return {
    running,
    clients,
    /** Posts an end of the first partner. */
    end: async (end: 'context' | 'session') => {
      const { organizationId, employeeId } = visit
      const token = await sign(running, Object({ organizationId, employeeId, end }))
      return post(running, token, json)
    },
    statuses: async () =>
      Promise.all(
        Object.values(clients).map(async client => (await client.send('GET', '/api/exercises/1')).status),
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

describe('a signed end', () => {
  test('of the session ends the sessions of its own partner’s link alone', async () => {
    await using started = await start()
    const { end, statuses } = started
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await (await end('session')).json()).toEqual({ ended: 'session' })
    expect(await statuses()).toEqual([200, 401, 200])
  })

  test('of the context is told to the pages of that link, and keeps the session', async () => {
    await using started = await start()
    const { clients, end, running, statuses } = started
    const contexts = async () => (await clients.first.ask('GET', '/api/session')).body.contexts
    const linkId = await employeeDigestOf({
      partnerId: running.key.registration.id,
      organizationId: 'org-1',
      employeeId: 'emp-1',
    })
    const before = await contexts()
    expect(before).toContainEqual({ linkId, lastEnd: null })
    const answer = await end('context')
    const lastEnd = answer.headers.get('x-request-id')
    expect(await contexts()).toContainEqual({ linkId, lastEnd })
    expect(await statuses()).toEqual([200, 200, 200])
    // A later visit begins with this end: it is not ended by it.
    const boot = await readBoot(await post(running, await sign(running), page))
    expect(boot).toMatchObject({ linkId, account: { lastEnd } })
    expect(
      (await query(running, "select outcome from audit_entries where outcome = 'context-ended'")).length,
    ).toBe(1)
  })

  test('of a locked partner is refused', async () => {
    await using started = await start()
    const { end, running } = started
    await running.service.replacePartners([{ ...running.key.registration, ends: true, isActive: false }])
    expect((await end('session')).status).toBe(403)
  })
})
