import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { DatabaseDialect } from '../dialect.ts'
import { AtomicSqliteDialect } from './atomic-sqlite.ts'
import { sqliteSearch } from './sqlite-search.ts'

/** Statements that are kept prepared; the service has about sixty. */
const keptStatements = 200

/**
 * Opens the embedded database: one file, written ahead and synced at each commit, so that what was answered is on disk.
 *
 * @param folder made when missing; nobody but its owner may enter
 */
export function sqliteDialect(folder: string): DatabaseDialect {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(folder, 'service.sqlite'))
  // First, so that the others wait as well when another process has the file.
  file.exec('pragma busy_timeout = 5000')
  file.exec('pragma journal_mode = wal')
  file.exec('pragma synchronous = full')
  file.exec('pragma foreign_keys = on')
  return {
    name: 'sqlite',
    kysely: new AtomicSqliteDialect({ database: asSqliteDatabase(file) }),
    search: sqliteSearch,
    timestampType: 'text',
    identity: column => column.primaryKey().autoIncrement(),
  }
}

/** Gives Node's SQLite the shape that Kysely's own dialect drives. */
function asSqliteDatabase(file: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => file.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const statement = asSqliteStatement(file.prepare(sql))
      if (statements.size < keptStatements) statements.set(sql, statement)
      return statement
    },
  }
}

function asSqliteStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...parameters.map(asInput)),
    run: parameters => statement.run(...parameters.map(asInput)),
    iterate: parameters => statement.iterate(...parameters.map(asInput)),
  }
}

function asInput(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
    case 'undefined':
      return null
    default:
      if (value === null || value instanceof Uint8Array) return value
      if (value instanceof Date) return value.toISOString()
      throw new TypeError('The database takes text, numbers, bytes and null.')
  }
}
