import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../src/service/database/open-database.ts'
import { postgresDialect } from '../src/service/database/postgres.ts'
import { sqliteDialect } from '../src/service/database/sqlite.ts'
import { databasesIn, patientUrl } from './_postgres.ts'
import type {} from './_postgres-setup.ts'

/** A database of its own, of the kind that the project's tests are run on. */
export interface TestDatabase extends AsyncDisposable {
  /** Opens it once more, as another process does. */
  open(): Promise<OpenDatabase>
}

/** Makes a database with the service's tables. What was opened of it is closed with it. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack()
  const provided = inject('postgres')
  let dialect: () => ReturnType<typeof sqliteDialect>
  if (provided) {
    const databases = databasesIn(provided.folder)
    const name = await databases.create()
    resources.defer(() => databases.drop(name))
    dialect = () => postgresDialect(patientUrl(databases.urlOf(name)))
  } else {
    const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-database-')))
    dialect = () => sqliteDialect(folder.path)
  }
  const owned = resources.move()
  return {
    open: async () => owned.use(await openDatabase(dialect())),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
