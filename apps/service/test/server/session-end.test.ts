import type { PartnerRegistration } from '@service-link/receiver'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { runInProcess } from '../support/process.ts'
import { query, type RunningService, startService } from '../support/service.ts'

const hourMs = 60 * 60 * 1000
const journalUrl = 'https://journal.example'

/** A service with one linked employee, who is signed in by password, by a link in a window, and by it in a frame. */
async function startWithSessions(options: Parameters<typeof startService>[0] = {}) {
  await using resources = new AsyncDisposableStack()
  const key = await createPartnerKey()
  const registration: PartnerRegistration = { ...key.registration, frameOrigins: [journalUrl] }
  const running = { ...resources.use(await startService({ ...options, partners: [registration] })), key }
  const send = async (headers: Record<string, string>, payload = visit) =>
    post(running, await sign(running, payload), headers)
  const page = { accept: 'text/html' }
  const frame = { ...page, 'sec-fetch-dest': 'iframe' }
  const password = await logInAs(running.service, accounts.ingrid)
  await confirmLink(password, running)
  const comeBy = async (headers: Record<string, string>) => {
    const client = new ApiClient(running.service)
    client.keep(await send(headers))
    return client
  }
  const clients = { password, window: await comeBy(page), frame: await comeBy(frame) }
  const owned = resources.move()
  return {
    running,
    registration,
    clients,
    send,
    /** The answer to each session's request for data, at an address of the service. */
    statuses: (address: string = running.service.url) => statusesOf(clients, address),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function statusesOf(clients: Readonly<Record<string, ApiClient>>, address: string) {
  const asked = Object.entries(clients).map(async ([name, client]) => {
    const headers: Record<string, string> = name === 'frame' ? { 'x-framed': '1' } : {}
    const answer = await client.at(address).send('GET', '/api/exercises/1', undefined, headers)
    return [name, answer.status] as const
  })
  return Object.fromEntries(await Promise.all(asked))
}

const all = { password: 200, window: 200, frame: 200 }
const passwordOnly = { password: 200, window: 401, frame: 401 }

/** Another process of the service, with this partner. */
const startBeside = ({ storage }: RunningService, registration: PartnerRegistration) =>
  startService({ ...storage, partners: [registration] })

describe('the sessions of a partner’s links', () => {
  test.each<[string, (registration: PartnerRegistration) => readonly PartnerRegistration[]]>([
    ['is not active any more', registration => [{ ...registration, isActive: false }]],
    ['is not registered any more', () => []],
  ])('end in every process once the partner %s, and stay ended when it returns', async (_, partnersOf) => {
    await using started = await startWithSessions()
    const { running, registration, statuses } = started
    await using other = await startBeside(running, registration)
    expect(await statuses(other.service.url)).toEqual(all)
    await running.service.replacePartners(partnersOf(registration))
    expect([await statuses(other.service.url), await statuses()]).toEqual([passwordOnly, passwordOnly])
    await running.service.replacePartners([registration])
    expect([await statuses(other.service.url), await statuses()]).toEqual([passwordOnly, passwordOnly])
  })

  test('that a process made before it knew of the lock are not used elsewhere, and end once it knows', async () => {
    await using started = await startWithSessions()
    const { running, registration, send } = started
    const locked = { ...registration, isActive: false }
    await using other = await startBeside(running, locked)
    const late = new ApiClient(running.service)
    late.keep(await send({ accept: 'text/html' }))
    expect(await statusesOf({ late }, other.service.url)).toEqual({ late: 401 })
    await running.service.replacePartners([locked])
    await other.service.replacePartners([registration])
    expect(await statusesOf({ late }, other.service.url)).toEqual({ late: 401 })
  })

  test('end with waiting payloads and one-time URLs, which do not come back with the partner', async () => {
    await using started = await startWithSessions()
    const { running, registration, clients, send } = started
    const stranger = { ...visit, employeeId: 'emp-2' }
    const { handle } = await readBoot(await send({ accept: 'text/html' }, stranger))
    const { url } = await (await send({ accept: 'application/json' })).json()
    await running.service.replacePartners([{ ...registration, isActive: false }])
    await running.service.replacePartners([registration])
    const confirmed = await clients.password.ask('POST', '/api/partner-visits', { handle, confirmed: true })
    expect([confirmed.status, (await fetch(url)).status]).toEqual([410, 410])
  })

  test('go on when another key replaces the partner’s key, and when another partner changes', async () => {
    await using started = await startWithSessions()
    const { running, registration, statuses } = started
    const { keys } = (await createPartnerKey()).registration
    const other = { id: 'other', name: 'Other', keys, issuer: 'https://other.example' }
    for (const partners of [[{ ...registration, keys }, other], [{ ...registration, keys }]]) {
      await running.service.replacePartners(partners)
      expect(await statuses()).toEqual(all)
    }
  })
})

describe('a session ends', () => {
  /** Moves every session's beginning; the end stays in the future. */
  async function moveBeginning(running: RunningService, ms: number): Promise<void> {
    const [createdAt, expiresAt] = [Date.now() + ms, Date.now() + 24 * hourMs].map(time =>
      new Date(time).toISOString(),
    )
    for (const table of ['auth_sessions', 'frame_sessions'])
      await query(running, `update ${table} set "createdAt" = '${createdAt}', "expiresAt" = '${expiresAt}'`)
  }
  const none = { password: 401, window: 401, frame: 401 }

  test('12 hours after the log-in, although it is used', async () => {
    await using started = await startWithSessions()
    const { running, clients, statuses } = started
    await moveBeginning(running, -12 * hourMs + 60_000)
    expect(await statuses()).toEqual(all)
    await moveBeginning(running, -12 * hourMs)
    expect(await statuses()).toEqual(none)
    const page = await fetch(running.service.url, {
      headers: { cookie: clients.frame.cookies, 'sec-fetch-dest': 'iframe' },
    })
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    // A second look does not find them either, whatever the clock says then.
    await moveBeginning(running, 0)
    expect(await statuses()).toEqual(none)
  })

  test('after the setting’s hours, also for a log-in before the setting changed', async () => {
    await using started = await startWithSessions()
    const { running, statuses } = started
    await moveBeginning(running, -hourMs)
    await using strict = await startService({
      ...running.storage,
      partners: [started.registration],
      sessionHours: 1,
    })
    expect(await statuses(strict.service.url)).toEqual(none)
  })

  test('if it began in the future: the clock was wrong then', async () => {
    await using started = await startWithSessions()
    await moveBeginning(started.running, hourMs)
    expect(await started.statuses()).toEqual(none)
  })

  test('no later because it is used', async () => {
    await using started = await startWithSessions()
    const { running, statuses } = started
    const ends = () => query(running, 'select "expiresAt" from auth_sessions order by "createdAt"')
    const at = new Date(Date.now() + hourMs).toISOString()
    await query(running, `update auth_sessions set "expiresAt" = '${at}'`)
    const before = await ends()
    expect(await statuses()).toEqual(all)
    expect(await ends()).toEqual(before)
  })
})

describe('npm run service -- end-sessions', () => {
  /** Runs the command beside the service. */
  async function end(running: RunningService, ...args: readonly string[]) {
    const { dataFolder, databaseUrl = '' } = running.storage
    const environment = { SERVICE_DATA: dataFolder, DATABASE_URL: databaseUrl }
    const { ended, output } = runInProcess(environment, 'end-sessions', ...args)
    return { code: await ended, said: output.join('\n') }
  }
  const none = { password: 401, window: 401, frame: 401 }

  test.each<[string, (partnerId: string) => readonly string[], typeof all, string]>([
    ['a partner', id => ['partner', id], passwordOnly, 'Ended 2 sessions.'],
    ['an organization', () => ['organization', accounts.ingrid.organization], none, 'Ended 3 sessions.'],
    ['an account', () => ['account', accounts.ingrid.email.toUpperCase()], none, 'Ended 3 sessions.'],
    ['another organization', () => ['organization', accounts.pat.organization], all, 'Ended 1 session.'],
    ['another account', () => ['account', accounts.samuel.email], all, 'Ended 0 sessions.'],
  ])('ends the sessions of %s in the running service, says how many, and is audited', async (...row) => {
    const [, argsOf, expected, said] = row
    await using started = await startWithSessions()
    const { running, registration, statuses } = started
    await logInAs(running.service, accounts.pat)
    const args = argsOf(registration.id)
    expect(await end(running, ...args)).toEqual({ code: 0, said })
    expect(await statuses()).toEqual(expected)
    const audited = await query(running, "select outcome from audit_entries where event = 'end-sessions'")
    expect(audited).toEqual([{ outcome: 'ended' }])
  })

  test('of an account or an organization ends the one-time URLs that were not opened yet', async () => {
    await using started = await startWithSessions()
    const { running, send } = started
    for (const args of [
      ['account', accounts.ingrid.email],
      ['organization', accounts.ingrid.organization],
    ]) {
      const { url } = await (await send({ accept: 'application/json' })).json()
      await end(running, ...args)
      expect((await fetch(url)).status).toBe(410)
    }
  })

  test('refuses a name that it does not find, and does not repeat an e-mail address', async () => {
    await using running = await startService()
    for (const args of [
      ['partner', 'nobody'],
      ['organization', 'No such clinic'],
      ['account', 'no.such@clinic.example'],
      ['account'],
      ['everybody', 'x'],
      ['toString', 'x'],
      ['partner', 'x', 'y'],
    ]) {
      const { code, said } = await end(running, ...args)
      expect([args, code]).toEqual([args, 2])
      expect(said).not.toContain('no.such@')
    }
  })
})
