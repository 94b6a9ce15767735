import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepTests, moreTests, type ProjectOptions, project, soakTests } from '../../vitest.project.ts'
import { findPostgres } from './test/support/postgres-programs.ts'

/** The folder of this run's records; child processes inherit it. */
process.env.SERVICE_TEST_RECORD = join(tmpdir(), `service-link-record-${process.pid}`)

/** Removes the records at the end of the run. */
const recordSetup = join(import.meta.dirname, 'test/support/record-setup.ts')
const postgresSetup = join(import.meta.dirname, 'test/support/postgres-setup.ts')

/** Tests of PostgreSQL's features, such as several processes on one database. */
const postgresTests = '**/*.postgres.test.ts'

/** Runs last and searches the output of all tests' services for personal data. */
const finalTests = '**/*.final.test.ts'

/** Tests that also run on PostgreSQL: the contract of the stores, and the statements of a post and of a list. */
const onBothDatabases = ['store-contract', 'long-texts', 'post-path', 'lists']

/** Those that run on PostgreSQL in a deep run only: their statements are the same. */
const onBothInDepth = [
  'partner-store',
  'clean-up',
  'log-in-limit',
  'my-workouts',
  'session-end',
  'record-ids',
]

const testsOf = (names: readonly string[]) => names.map(name => `test/service/${name}.test.ts`)

const demo = (name: string, options: ProjectOptions) =>
  project(name, import.meta.dirname, { globalSetup: [recordSetup], ...options })

const demoOnPostgres = (name: string, include: readonly string[]) =>
  demo(name, { include, exclude: [], globalSetup: [recordSetup, postgresSetup] })

const postgres = findPostgres()
// CI does not skip these tests: their set-up fails with the same reason.
const hasPostgres = !('missing' in postgres) || Boolean(process.env.CI)
if ('missing' in postgres) console.error(`The demo's tests are not run on PostgreSQL: ${postgres.missing}`)

export default [
  demo('demo', { exclude: [deepTests, soakTests, postgresTests, finalTests] }),
  ...(hasPostgres ? [demoOnPostgres('demo-postgres', [postgresTests, ...testsOf(onBothDatabases)])] : []),
  ...(moreTests === 'deep' ? [demo('demo-deep', { include: [deepTests], exclude: [] })] : []),
  ...(moreTests === 'deep' && hasPostgres
    ? [demoOnPostgres('demo-postgres-deep', testsOf(onBothInDepth))]
    : []),
  demo('demo-final', { include: [finalTests], exclude: [], sequence: { groupOrder: 1 } }),
]
