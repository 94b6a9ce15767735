import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { DatabaseDialect, TextSearch } from './dialect.ts'
import { migrations } from './migrations.ts'
import type { Database, Tables } from './tables.ts'

/** The opened database with the parts that depend on its kind. */
export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database
  readonly search: TextSearch
  readonly dialectName: DatabaseDialect['name']
}

/**
 * Opens the database and brings its tables up to date.
 *
 * @throws the database's error when it cannot be opened, or was written by a newer version of this service
 */
export async function openDatabase(dialect: DatabaseDialect): Promise<OpenDatabase> {
  const database = new Kysely<Tables>({ dialect: dialect.kysely })
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations(dialect) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await database.destroy()
    throw error
  }
  return {
    database,
    search: dialect.search,
    dialectName: dialect.name,
    [Symbol.asyncDispose]: () => database.destroy(),
  }
}
