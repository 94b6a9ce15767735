import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defineError } from '@service-link/protocol-core/errors'
import { type Dialect, Kysely, type LogEvent, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { DatabaseDialect, PoolCounts, TextSearch } from './dialect.ts'
import { classifyFailure, DatabaseUnavailableError, isDamage, isRetryable, noteFailure } from './failures.ts'
import type { Database, Tables } from './tables.ts'

export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database
  readonly search: TextSearch
  readonly dialectName: DatabaseDialect['name']
  readonly pool: (() => PoolCounts) | undefined
  /**
   * Writes a row of some pages, at most once a second, and rejects if that fails. On a disk without room a single page might still
   * fit. Also rejects once a statement has found the embedded database damaged: it must be restored while the service is stopped.
   */
  checkWrites(): Promise<void>
}

interface OpenDatabaseOptions {
  /** Called after each statement. Its parameters are personal data. */
  readonly onStatement?: (event: LogEvent) => void
  /**
   * Longest wait for a server that starts, or for another process that makes the tables, in milliseconds. Default
   * 10,000.
   */
  readonly maxWaitMs?: number
}

/**
 * Another version of the service made the database's tables.
 *
 * @remedy Start the version that wrote the database, restore a back-up, or begin with an empty database.
 * @retry no
 * @seenBy operator
 */
class DatabaseVersionError extends defineError(
  'ERR_DATABASE_VERSION',
  'Another version of this service wrote the database. Start that version, restore a back-up, or begin with an empty database.',
) {}

const pauseMs = 250

/** Least time between two checks that write, because anybody may ask, in milliseconds. */
const checkEveryMs = 1000

/**
 * Opens the database and makes missing tables. If several processes start at once, one makes them and the others
 * wait.
 */
export async function openDatabase(
  dialect: DatabaseDialect,
  { onStatement, maxWaitMs = 10_000 }: OpenDatabaseOptions = {},
): Promise<OpenDatabase> {
  await using resources = new AsyncDisposableStack()
  let damage: unknown
  let writtenAt = Number.NEGATIVE_INFINITY
  const log = (event: LogEvent) => {
    if (event.level === 'error') {
      noteFailure(event.error)
      if (classifyFailure(event.error) !== 'other') writtenAt = Number.NEGATIVE_INFINITY
      if (isDamage(event.error)) damage = event.error
    }
    onStatement?.(event)
  }
  const connect = (kysely: Dialect) => {
    const connected: Database = new Kysely<Tables>({ dialect: kysely, log })
    return connected
  }
  const database = connect(dialect.kysely)
  resources.defer(() => database.destroy())
  const migrating = dialect.migrating ? resources.use(connect(dialect.migrating())) : database
  await migrateWhenReady(migrating, dialect, maxWaitMs)
  if (migrating !== database) await migrating.destroy()
  const owned = resources.move()
  return {
    database,
    search: dialect.search,
    dialectName: dialect.name,
    pool: dialect.pool,
    async checkWrites() {
      if (damage !== undefined) throw damage
      if (performance.now() - writtenAt < checkEveryMs) return
      await writeCheck(database)
      writtenAt = performance.now()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function writeCheck(database: Database): Promise<void> {
  const at = new Date().toISOString()
  // Another text each time: unchanged pages would not be written.
  const row = { at, filler: at.repeat(1400) }
  await database
    .insertInto('health_checks')
    .values({ name: 'writes', ...row })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row))
    .execute()
}

async function migrateWhenReady(db: Database, dialect: DatabaseDialect, maxWaitMs: number): Promise<void> {
  const schema = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8').replaceAll('\r', '')
  // A database with other tables is refused at the start.
  const name = `001-${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
  const provider = { getMigrations: async () => ({ [name]: initialMigration(schema, dialect) }) }
  const migrator = new Migrator({ db, provider })
  const endsAt = performance.now() + maxWaitMs
  for (;;) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (error instanceof Error && /^corrupted migrations: .* is missing/.test(error.message))
      throw new DatabaseVersionError()
    if (!isRetryable(error)) throw error
    if (performance.now() + pauseMs >= endsAt) throw new DatabaseUnavailableError(error)
    await delay(pauseMs)
  }
}

function initialMigration(schema: string, { columnTypes, keyedTable, search }: DatabaseDialect): Migration {
  return {
    async up(db: Database) {
      const statements = schema
        .replaceAll('$id', columnTypes.id)
        .replaceAll('$time', columnTypes.time)
        .replaceAll('$bytes', columnTypes.bytes)
        .replaceAll('$keyed', keyedTable)
      for (const statement of statements.split(/;\s*$/m))
        if (statement.trim() !== '') await sql.raw(statement).execute(db)
      await search.createIndexes(db)
    },
  }
}
