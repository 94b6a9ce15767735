import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { askPostgres, findPostgres, startPostgres } from '@service-link/test-kit/postgres'
import { describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, sign, visit } from '../support/post.ts'
import { startProcess } from '../support/process.ts'

const programs = findPostgres()
const isLeftOut = 'missing' in programs && !process.env.CI
if ('missing' in programs && isLeftOut) console.error(`Left out: ${programs.missing}`)

/** The load: fifty visits per second for six seconds. */
const pace = { visits: 300, everyMs: 20 }

/** Most attempts for one visit; the last one's outcome counts. */
const maxAttempts = 20

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
    const load = { begun: 0, taken: 0, refused: 0, broken: new Set<string>(), failures: [] as string[] }
    /** Posts a visit, with a new token each time, until it is taken, as partners are advised. */
    const make = async (id: string): Promise<unknown> => {
      load.begun++
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const upstream = upstreams[(load.begun + attempt) % 2] ?? second
        // A new connection, because either side may close a kept one at any time.
        const headers = { accept: 'application/problem+json', connection: 'close' }
        const answer = await post({ service: { url: upstream.address } }, await signFor(id), headers).catch(
          () => undefined,
        )
        const body = await answer?.text().catch(() => undefined)
        const retryAfter = Number(answer?.headers.get('retry-after') ?? Number.NaN)
        if (!answer || body === undefined) {
          load.broken.add(upstream.name)
          await delay(200)
        } else if (answer.status === 200 && body.includes('"kind":"signed-in"')) return load.taken++
        else if (answer.status === 503 && /"ERR_UNAVAILABLE"/.test(body) && retryAfter >= 0) {
          load.refused++
          await delay(retryAfter * 1000)
        } else return load.failures.push(`${answer.status} ${body.slice(0, 300)}`)
      }
      return load.failures.push('was given up')
    }
    const makeAll = async () => {
      const running: Promise<unknown>[] = []
      for (let visit = 0; visit < pace.visits; visit++) {
        running.push(make(`visit-${visit}`))
        await delay(pace.everyMs)
      }
      await Promise.all(running)
    }
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await delay(5)
    }
    /** Resolves after this many more successful visits. */
    const more = (count: number) => {
      const goal = Math.min(load.taken + count, pace.visits)
      return until(() => load.taken + load.failures.length >= goal)
    }
    const over = makeAll()
    await more(30)

    // A crash that outlasts the service's retries of a post.
    await postgres.stop('immediate')
    await until(() => load.refused >= 10)
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
    await until(() => load.broken.size > 0)
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
    await until(() => load.begun >= Math.min(begun + 20, pace.visits))
    await postgres.start()
    await over

    expect(load.failures).toEqual([])
    expect(load.taken).toBe(pace.visits)
    expect(load.broken).toEqual(new Set(['killed']))
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
