import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findPostgres } from './apps/demo/test/support/postgres-programs.ts'

const conditions = ['@service-link/source', 'module', 'node', 'development']

/**
 * Tests that run last and one at a time. They close real windows: a browser closes a window without asking when its
 * page does not answer within half a second. One loads a service with fifty visits a second.
 */
const aloneTests = '**/*.alone.test.ts'

/** Storms and long runs, one file at a time, by `npm run soak`. */
const soakTests = '**/*.soak.test.ts'

/** Runs last and searches the output of all tests' services for personal data. */
const finalTests = '**/*.final.test.ts'

// Tested code reports or refuses files writable by a group, which some systems make by default.
process.umask(0o022)

/** Tests that start Windows programs, by `npm run windows`. */
const windowsTests = '**/*.windows.test.ts'

/** The folder of this run's records; child processes inherit it. */
process.env.SERVICE_TEST_RECORD = join(tmpdir(), `service-link-record-${process.pid}`)

/** Keeps compiled sources for the run's hundreds of Node processes. */
process.env.NODE_COMPILE_CACHE = join(tmpdir(), `service-link-compiled-${process.pid}`)

/** Removes the records and the compiled sources at the end of the run. */
const recordSetup = new URL('./apps/demo/test/support/record-setup.ts', import.meta.url).pathname

/** Tests of PostgreSQL's features, such as several processes on one database. */
const postgresTests = '**/*.postgres.test.ts'

/** One project per package; sources run without a build. */
function project(name: string, folder: string) {
  return {
    root: new URL(folder, import.meta.url).pathname,
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [aloneTests, soakTests, postgresTests, finalTests],
      isolate: false,
      globalSetup: recordSetup,
      // For hanging tests, not for busy machines: each wait in a test has a shorter, specific limit.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  }
}

const postgres = findPostgres()
// CI does not skip these tests: their set-up fails with the same reason.
const hasPostgres = !('missing' in postgres) || Boolean(process.env.CI)
if ('missing' in postgres) console.error(`The demo's tests are not run on PostgreSQL: ${postgres.missing}`)

/** Tests that also run on PostgreSQL: the contract of the stores, and the statements of a post and of a command. */
const onBothDatabases = [
  'store-contract',
  'partner-store',
  'long-texts',
  'clean-up',
  'log-in-limit',
  'post-path',
  'my-workouts',
  'session-end',
  'record-ids',
  'lists',
].map(name => `test/service/${name}.test.ts`)

/** The demo's tests on PostgreSQL: its separate ones, and some that {@link project} `demo` runs on SQLite. */
function demoOnPostgres() {
  const { test, ...demo } = project('demo-postgres', './apps/demo/')
  // Another of vite's environments loads the set-up.
  const environments = { __vitest__: { resolve: { conditions, externalConditions: conditions } } }
  return {
    ...demo,
    environments,
    test: {
      ...test,
      include: [postgresTests, ...onBothDatabases],
      exclude: ['**/node_modules/**'],
      globalSetup: [recordSetup, './test/support/postgres-setup.ts'],
    },
  }
}

const soak = {
  ...project('soak', './'),
  test: {
    ...project('soak', './').test,
    include: [`packages/${soakTests}`, `apps/${soakTests}`, 'packages/wrapper-host/test/pipe/fuzz.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 1,
  },
}

/** Packed packages in an empty project, by `npm run check`: they need the build and the registry. */
const packed = {
  ...project('packed', './'),
  test: {
    ...project('packed', './').test,
    include: ['test/packed/*.test.ts'],
    globalSetup: './test/packed/install-packed.ts',
  },
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('protocol-core', './packages/protocol-core/'),
      project('terminal', './internal/terminal/'),
      project('cli-args', './packages/cli-args/'),
      project('xml-input', './packages/xml-input/'),
      project('jwt-payload', './packages/jwt-payload/'),
      project('pipe-client', './packages/pipe-client/'),
      project('window-engine', './packages/window-engine/'),
      project('wrapper-host', './packages/wrapper-host/'),
      project('wrapper-pack', './packages/wrapper-pack/'),
      project('demo', './apps/demo/'),
      ...(hasPostgres ? [demoOnPostgres()] : []),
      {
        ...project('repository', './'),
        test: {
          ...project('repository', './').test,
          include: ['test/**/*.test.ts'],
          exclude: [windowsTests, 'test/packed/**'],
        },
      },
      {
        ...project('alone', './'),
        test: {
          ...project('alone', './').test,
          include: [`packages/${aloneTests}`, `apps/${aloneTests}`],
          exclude: ['**/node_modules/**'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      ...(process.env.SERVICE_SOAK ? [soak] : []),
      ...(process.env.SERVICE_PACKED ? [packed] : []),
      {
        ...project('final', './apps/demo/'),
        test: {
          ...project('final', './apps/demo/').test,
          include: [finalTests],
          exclude: ['**/node_modules/**'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
