import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError, noteFailure, watchDatabase } from './failures.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { type RunTransactionOptions, runTransaction } from './run-transaction.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Database } from './tables.ts'

const failure = (code: string) => Object.assign(new Error('failed'), { code })

async function openEmpty(resources: AsyncDisposableStack) {
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-transaction-')))
  return resources.use(await openDatabase(sqliteDialect(folder.path)))
}

/** Runs work that adds an organization and fails as it is told, one entry an attempt; time passes by waiting alone. */
async function attempt(
  { database }: OpenDatabase,
  failures: readonly (Error | undefined)[],
  options: RunTransactionOptions = {},
) {
  const clock = { ms: 0 }
  let attempts = 0
  const work = async (transaction: Database) => {
    const error = failures[attempts++]
    await transaction.insertInto('organizations').values({ name: 'made', created_at: '' }).execute()
    if (error) throw error
    return 'done'
  }
  const wait = async (ms: number) => {
    clock.ms += ms
  }
  const outcome = await runTransaction(database, work, { now: () => clock.ms, wait, ...options }).catch(
    (error: unknown) => error,
  )
  const rows = await database.selectFrom('organizations').select('name').execute()
  return { outcome, attempts, made: rows.length, waitedMs: clock.ms }
}

test.each(['57P01', 'ECONNRESET', '40001', '40P01'])(
  'work that failed with %s is done again, and takes effect once',
  async code => {
    await using resources = new AsyncDisposableStack()
    const open = await openEmpty(resources)
    expect(await attempt(open, [failure(code)])).toMatchObject({ outcome: 'done', attempts: 2, made: 1 })
  },
)

test('a database that does not come back is given up after the time, and nothing took effect', async () => {
  await using resources = new AsyncDisposableStack()
  const open = await openEmpty(resources)
  const { outcome, attempts, made, waitedMs } = await attempt(
    open,
    Array.from({ length: 1000 }, () => failure('57P03')),
  )
  expect(outcome).toBeInstanceOf(DatabaseUnavailableError)
  expect({ made, isInTime: waitedMs < 3000, triedOften: attempts > 5 && attempts < 30 }).toEqual({
    made: 0,
    isInTime: true,
    triedOften: true,
  })
})

test.each([
  ['of a server without room', failure('53300'), expect.any(DatabaseUnavailableError)],
  ['that is not the database’s fault', new TypeError('a mistake'), new TypeError('a mistake')],
])('a failure %s ends the work at once', async (_name, error, outcome) => {
  await using resources = new AsyncDisposableStack()
  const open = await openEmpty(resources)
  expect(await attempt(open, [error])).toMatchObject({ outcome, attempts: 1, made: 0 })
})

test.each([
  [true, { outcome: 'done', attempts: 2 }],
  [false, { outcome: expect.any(DatabaseUnavailableError), attempts: 1 }],
])('a commit of which nothing was heard: repeatable %s', async (isRepeatable, expected) => {
  await using resources = new AsyncDisposableStack()
  const { database } = await openEmpty(resources)
  let [attempts, commits] = [0, 0]
  // Kysely asks the database itself for a transaction: here its first commit takes effect, and the answer is lost.
  const losing = {
    transaction: () => ({
      execute: async <Result>(work: (transaction: Database) => Promise<Result>) => {
        const result = await database.transaction().execute(work)
        if (commits++ === 0) throw failure('ECONNRESET')
        return result
      },
    }),
  }
  const run = () =>
    runTransaction(
      losing,
      async () => {
        attempts++
        return 'done'
      },
      { isRepeatable, wait: async () => undefined },
    ).catch((error: unknown) => error)
  expect({ outcome: await run(), attempts }).toEqual(expected)
})

test('a lost database is seen even where the work made something else of it', async () => {
  const swallowing = watchDatabase(async () => {
    noteFailure(failure('57P01'))
    return 'not signed in'
  })
  await expect(swallowing).rejects.toBeInstanceOf(DatabaseUnavailableError)
  // What a transaction of its own got over by being run again is no failure of the work around it.
  const outer = watchDatabase(() =>
    watchDatabase(async () => noteFailure(failure('57P01'))).catch(() => 'got over it'),
  )
  expect(await outer).toBe('got over it')
})
