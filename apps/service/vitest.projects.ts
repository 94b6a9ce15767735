// @boundaries-ignore: a file of the repository
import { deepTests, moreTests, soakTests } from '../../vitest.project.ts'
import { onPostgres, recordedProject } from './test/support/recorded-project.ts'

/** Tests of PostgreSQL's features, such as several processes on one database. */
const postgresTests = '**/*.postgres.test.ts'

/** Runs last and searches the output of all tests' services for personal data. */
const finalTests = '**/*.final.test.ts'

/** Tests that also run on PostgreSQL: the contract of the stores, and the statements of a post, of a list and of a day. */
const onBothDatabases = ['store-contract', 'long-texts', 'post-path', 'lists', 'done-days']

/** Those that run on PostgreSQL in a deep run only: most of their statements are the same. */
const onBothInDepth = ['clean-up', 'end-race', 'log-in-limit', 'session-end']

const testsOf = (names: readonly string[]) => names.map(name => `test/server/${name}.test.ts`)

const folder = import.meta.dirname
const isDeep = moreTests === 'deep'

export default [
  recordedProject('service', folder, { exclude: [deepTests, soakTests, postgresTests, finalTests] }),
  ...onPostgres('service-postgres', folder, [postgresTests, ...testsOf(onBothDatabases)]),
  ...(isDeep ? [recordedProject('service-deep', folder, { include: [deepTests], exclude: [] })] : []),
  ...(isDeep ? onPostgres('service-postgres-deep', folder, testsOf(onBothInDepth)) : []),
  recordedProject('service-final', folder, {
    include: [finalTests],
    exclude: [],
    sequence: { groupOrder: 1 },
  }),
]
