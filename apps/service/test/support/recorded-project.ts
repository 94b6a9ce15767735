import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from '@service-link/test-kit/postgres'
// @boundaries-ignore: a file of the repository
import { type ProjectOptions, project } from '../../../../vitest.project.ts'

/** The folder of this run's records; child processes inherit it. */
process.env.SERVICE_TEST_RECORD = join(tmpdir(), `service-link-record-${process.pid}`)

/** Removes the records at the end of the run. */
const recordSetup = join(import.meta.dirname, 'record-setup.ts')
const postgresSetup = join(import.meta.dirname, 'postgres-setup.ts')

/** A project of tests that start services: the run's last test searches their output for personal data. */
export const recordedProject = (name: string, folder: string, options: ProjectOptions) =>
  project(name, folder, { globalSetup: [recordSetup], ...options })

const postgres = findPostgres()
// CI does not skip these tests: their set-up fails with the same reason.
const hasPostgres = !('missing' in postgres) || Boolean(process.env.CI)
if ('missing' in postgres) console.error(`The service's tests are not run on PostgreSQL: ${postgres.missing}`)

/** A project whose services use PostgreSQL; none where it is not installed. */
export const onPostgres = (name: string, folder: string, include: readonly string[]) =>
  hasPostgres
    ? [project(name, folder, { include, exclude: [], globalSetup: [recordSetup, postgresSetup] })]
    : []
