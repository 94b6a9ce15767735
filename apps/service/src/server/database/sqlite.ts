import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type SqlBool,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely'
import {
  allWords,
  type DatabaseDialect,
  type SearchKind,
  type SearchMatch,
  type TextSearch,
} from './dialect.ts'

/** Most prepared statements in the cache; the service has about sixty. */
const keptStatements = 200

/** Opens the embedded database: one file with a write-ahead log, synced at each commit. */
export function sqliteDialect(folder: string): DatabaseDialect {
  makeFolder(folder)
  const path = sqlitePath(folder)
  // A wait stops the whole process, so it is short. Transactions wait again.
  using untilOpen = new DisposableStack()
  using always = new DisposableStack()
  // The files are this user's alone, also in a folder that others may enter. SQLite gives the log's files the mode of the first.
  const mask = process.umask(0o077)
  always.defer(() => process.umask(mask))
  const file = untilOpen.use(new DatabaseSync(path, { timeout: 1000 }))
  file.exec('pragma journal_mode = wal')
  file.exec('pragma synchronous = full')
  file.exec('pragma foreign_keys = on')
  // 64 MiB: with the usual 2 MiB each post reads pages again.
  file.exec('pragma cache_size = -65536')
  const database = asSqliteDatabase(file, path)
  untilOpen.move()
  return {
    name: 'sqlite',
    kysely: new AtomicSqliteDialect({ database }),
    search: sqliteSearch,
    columnTypes: { id: 'integer primary key autoincrement', time: 'text', bytes: 'text' },
    keyedTable: 'without rowid',
  }
}

/** The embedded database in this folder. */
export const sqlitePath = (folder: string): string => join(folder, 'service.sqlite')

function asSqliteDatabase(file: DatabaseSync, path: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const { ino } = statSync(path)
  // SQLite would go on writing to the file that nobody finds any more.
  const assertInPlace = () => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return
    throw sqliteError(readOnlyMoved, 'the file of the database was moved, removed or replaced')
  }
  return {
    close: () => file.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const isWrite = /^\s*(insert|update|delete|begin)\b/i.test(sql)
      const statement = asSqliteStatement(file.prepare(sql), isWrite ? assertInPlace : undefined)
      if (statements.size < keptStatements) statements.set(sql, statement)
      return statement
    },
  }
}

/** SQLITE_READONLY_DBMOVED */
const readOnlyMoved = 1032

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code }: { code?: unknown } = Object(error)
    // SQLITE_FULL, else SQLITE_CANTOPEN
    throw sqliteError(code === 'ENOSPC' ? 13 : 14, `its folder cannot be made (${code})`)
  }
}

/** An error as Node's SQLite throws it. */
function sqliteError(errcode: number, errstr: string): Error {
  return Object.assign(new Error(errstr), { code: 'ERR_SQLITE_ERROR', errcode, errstr })
}

function asSqliteStatement(statement: StatementSync, before?: () => void): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all(parameters) {
      before?.()
      return statement.all(...parameters.map(asInput))
    },
    run(parameters) {
      before?.()
      return statement.run(...parameters.map(asInput))
    },
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

/**
 * Kysely's dialect with transactional migrations: a process that is killed during the first start leaves an empty
 * database.
 */
class AtomicSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateDriver extends SqliteDriver {
  /**
   * Takes the write lock at once. Otherwise a transaction that read before another process wrote could not write, and
   * two starting processes would both make the tables.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** Full-text search by SQLite's FTS5: finds words by their beginning, without case and accents. */
const sqliteSearch: TextSearch = {
  async createIndexes(database) {
    await sql`create virtual table text_search using fts5(
      title, body, tokenize = "unicode61 remove_diacritics 2")`.execute(database)
    await sql`create virtual table person_search using fts5(organization_id, search_text,
      content = 'persons', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')`.execute(
      database,
    )
    const columns = sql.raw('rowid, organization_id, search_text')
    const values = (row: 'old' | 'new') => sql.raw(`${row}.id, ${row}.organization_id, ${row}.search_text`)
    const remove = sql`insert into person_search (person_search, ${columns}) values ('delete', ${values('old')})`
    const add = sql`insert into person_search (${columns}) values (${values('new')})`
    await sql`create trigger persons_found after insert on persons begin ${add}; end`.execute(database)
    await sql`create trigger persons_forgotten after delete on persons begin ${remove}; end`.execute(database)
    await sql`create trigger persons_found_again after update of organization_id, search_text on persons
      begin ${remove}; ${add}; end`.execute(database)
  },

  async put(database, { kind, id, title, body }) {
    const rowid = rowidOf(kind, id)
    await sql`delete from text_search where rowid = ${rowid}`.execute(database)
    const [titleWords, bodyWords] = [title, body].map(text => allWords(text).join(' '))
    await sql`insert into text_search (rowid, title, body) values (${rowid}, ${titleWords}, ${bodyWords})`.execute(
      database,
    )
  },

  matches(kind, words) {
    // The limit keeps the rank out of the outer statement, where the database cannot compute it.
    return sql<SearchMatch>`(select (rowid - ${rowidOf(kind, 0)}) / 2 as id, bm25(text_search, 8, 1) as rank
      from text_search where text_search match ${queryOf(words)} and rowid % 2 = ${rowidOf(kind, 0)} limit -1)`
  },

  personMatches(organizationId, words) {
    return sql<SqlBool>`persons.id in (select rowid from person_search
      where person_search match ${`organization_id : "${organizationId}" AND search_text : (${queryOf(words)})`})`
  },
}

/** Words contain letters and digits only, so that quotes around them are safe. */
function queryOf(words: readonly string[]): string {
  return words.map(word => `"${word}"*`).join(' ')
}

/** Both kinds share the index: exercises have even rows, workouts odd rows. */
function rowidOf(kind: SearchKind, id: number): number {
  return id * 2 + (kind === 'workout' ? 1 : 0)
}
