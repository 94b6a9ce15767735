import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { Load } from '../support/load.ts'
import { confirmLink, sign, visit } from '../support/post.ts'
import { askPostgres, findPostgres, startPostgres } from '../support/postgres.ts'
import { startProcess } from '../support/process.ts'

const programs = findPostgres()
const isLeftOut = 'missing' in programs && !process.env.CI
if ('missing' in programs && isLeftOut) console.error(`Left out: ${programs.missing}`)

/** The load: fifty visits per second for six seconds. */
const pace = { visits: 300, everyMs: 20 }

describe.skipIf(isLeftOut)('the partner link under load', () => {
  test('loses and doubles nothing while the database crashes, restarts and a process is killed', async () => {
    await using resources = new AsyncDisposableStack()
    const postgres = resources.use(await startPostgres(programs))
    const databaseUrl = postgres.databases.urlOf(await postgres.databases.create())
    const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-faults-')))
    const key = await createPartnerKey()
    const file = join(folder.path, 'partners.json')
    await writeFile(file, JSON.stringify([key.registration]))
    const publicUrl = 'http://service.example'
    const start = async () =>
      resources.use(
        await startProcess({
          DATABASE_URL: databaseUrl,
          AUTH_SECRET: 'a key that the two processes share',
          PUBLIC_URL: publicUrl,
          SERVICE_DATA: folder.path,
          PARTNERS_FILE: file,
        }),
      )
    const [steady, killed] = await Promise.all([start(), start()])
    const posting = { service: { url: publicUrl }, key }
    const signFor = (id: string) => sign(posting, { ...visit, contact: { ...visit.contact, id } })

    // The employee's first visit, so that later ones need no log-in.
    const ingrid = new ApiClient({ url: publicUrl }, steady.address)
    expect(await ingrid.logIn(accounts.ingrid)).toBe(200)
    expect((await confirmLink(ingrid, posting, visit, steady.address)).status).toBe(200)

    const second = { name: 'killed', address: killed.address }
    const upstreams = [{ name: 'steady', address: steady.address }, second]
    const load = new Load(upstreams, number => signFor(`visit-${number}`))
    const over = load.run(pace)
    /** Resolves after this many more successful visits. */
    const more = (count: number) => {
      const goal = Math.min(load.taken + count, pace.visits)
      return load.until(({ taken, failures }) => taken + failures.length >= goal)
    }
    await more(30)

    // A crash that outlasts the service's retries of a post.
    await postgres.stop('immediate')
    await load.until(({ refused }) => refused >= 10)
    // A failed look-up must not appear as a sign-out.
    for (const [method, path, body] of [
      ['GET', '/api/session', undefined],
      ['GET', '/api/exercises/1', undefined],
      ['POST', '/api/auth/sign-out', {}],
      ['POST', '/api/auth/sign-in/email', accounts.ingrid],
    ] as const) {
      const answer = await ingrid.send(method, path, body)
      expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 503, []])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await answer.json()).toMatchObject({ code: 'ERR_UNAVAILABLE', status: 503 })
    }
    await postgres.start()
    await more(30)

    // One of the two processes dies at work.
    expect(await killed.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    await load.until(({ broken }) => broken.length > 0)
    // On a busy machine the database may return too late for one query.
    let session: unknown
    const askSession = async () => {
      session = (await ingrid.ask('GET', '/api/session')).body
      return session
    }
    await expect.poll(askSession, { timeout: 60_000 }).not.toMatchObject({ code: 'ERR_UNAVAILABLE' })
    expect(session).toMatchObject({ employee: { name: accounts.ingrid.name } })
    const again = await start()
    second.address = again.address
    await more(30)

    // A restart, as for an update: connections end, and new ones fail for a moment.
    await postgres.stop('fast')
    const { begun } = load
    await load.until(now => now.begun >= Math.min(begun + 20, pace.visits))
    await postgres.start()
    await over

    expect(load.failures).toEqual([])
    expect(load.taken).toBe(pace.visits)
    expect(new Set(load.broken)).toEqual(new Set(['killed']))
    const rows = await askPostgres(
      databaseUrl,
      "select custom_id, count(*)::int as count from persons where custom_id like 'visit-%' group by custom_id",
    )
    expect(rows).toHaveLength(pace.visits)
    expect(rows.filter(({ count }) => count !== 1)).toEqual([])

    // Both processes continue, and no connection is left over.
    const open = await askPostgres(
      databaseUrl,
      "select state from pg_stat_activity where application_name = 'service'",
    )
    expect(open.length).toBeLessThanOrEqual(20)
    expect(open.filter(({ state }) => String(state).startsWith('idle in transaction'))).toEqual([])
    for (const service of [steady, again]) {
      expect(await fetch(`${service.address}/health/ready`).then(answer => answer.status)).toBe(200)
      expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(service.output.join('\n')).not.toMatch(/unhandled|uncaught|MaxListeners|visit-\d/i)
    }
    // It waits for databases and processes that share the cores with other suites.
  }, 600_000)
})
