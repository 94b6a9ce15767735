import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createService } from '../../src/server/create-service.ts'
import { createLogger } from '../../src/server/http/logger.ts'
import { testAccounts } from './accounts.ts'
import './cheap-passwords.ts'
import { patientUrl, startPostgres } from '@service-link/test-kit/postgres'

/** The PostgreSQL of a project's tests. */
export interface ProvidedPostgres {
  readonly folder: string
  /** Name of a database with the service's tables, content and accounts, for copies. */
  readonly template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `undefined`: the tests use the embedded database. */
    postgres: ProvidedPostgres | undefined
  }
}

/** Starts a PostgreSQL for a project's tests and ends it after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using resources = new AsyncDisposableStack()
  const cluster = resources.use(await startPostgres())
  const template = await cluster.databases.create()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-template-'))
  await using _filled = await createService({
    port: 0,
    dataFolder: folder.path,
    databaseUrl: patientUrl(cluster.databases.urlOf(template)),
    partners: [],
    demoAccounts: testAccounts,
    logger: createLogger('silent'),
  })
  project.provide('postgres', { folder: cluster.folder, template })
  const owned = resources.move()
  return () => owned.disposeAsync()
}
