import { type Dialect, Kysely, type LogEvent } from 'kysely'
import { Migrator } from 'kysely/migration'
import { noteFailure } from './database-failures.ts'
import type { DatabaseDialect, PoolCounts, TextSearch } from './dialect.ts'
import { migrations } from './migrations.ts'
import type { Database, Tables } from './tables.ts'

/** The opened database with the parts that depend on its kind. */
export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database
  readonly search: TextSearch
  readonly dialectName: DatabaseDialect['name']
  /** Counts its connections, where there is a pool of them. */
  readonly pool: (() => PoolCounts) | undefined
}

/** Options of {@link openDatabase}. */
export interface OpenDatabaseOptions {
  /** Told of each statement after it was run. Its parameters are personal data. Default: nobody. */
  readonly onStatement?: (event: LogEvent) => void
}

/**
 * Opens the database and brings its tables up to date. Of several processes that do so at once one does it, the others wait.
 *
 * @throws the database's error when it cannot be opened, or was written by a newer version of this service
 */
export async function openDatabase(
  dialect: DatabaseDialect,
  { onStatement }: OpenDatabaseOptions = {},
): Promise<OpenDatabase> {
  await using resources = new AsyncDisposableStack()
  const log = (event: LogEvent) => {
    if (event.level === 'error') noteFailure(event.error)
    onStatement?.(event)
  }
  const connect = (kysely: Dialect) => {
    const connected: Database = new Kysely<Tables>({ dialect: kysely, log })
    return connected
  }
  const database = connect(dialect.kysely)
  resources.defer(() => database.destroy())
  if (dialect.migrating) {
    await using migrating = connect(dialect.migrating())
    await migrate(migrating, dialect)
  } else await migrate(database, dialect)
  const owned = resources.move()
  return {
    database,
    search: dialect.search,
    dialectName: dialect.name,
    pool: dialect.pool,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function migrate(db: Database, dialect: DatabaseDialect): Promise<void> {
  const provider = { getMigrations: async () => migrations(dialect) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}
