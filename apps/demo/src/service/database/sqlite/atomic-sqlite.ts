import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'

/**
 * Kysely's dialect, with what SQLite can do besides: all steps of an upgrade are one transaction together with the note that
 * they were done, so that a process that is killed in between leaves the former database.
 */
export class AtomicSqliteDialect extends SqliteDialect {
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
   * Takes the lock for writing at once: a transaction that has read before another process wrote could not write any more, and
   * two processes that start would both find the same steps to be done.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
