import { PostgresDialect as KyselyPostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { noteFailure } from '../database-failures.ts'
import type { DatabaseDialect, PoolCounts } from '../dialect.ts'
import { discardLost } from './discard-lost.ts'
import { postgresSearch } from './postgres-search.ts'
import { readConnectTimeout } from './read-connect-timeout.ts'

/** Limits of a pool; times in milliseconds. */
const limits = {
  /** Most connections of one process; who comes when all are taken waits. */
  max: 10,
  idleTimeoutMillis: 30_000,
  /** A transaction whose process is gone must not hold its locks for ever. */
  idle_in_transaction_session_timeout: 15_000,
}

/** Longest a statement of the running service may take: the server's limits, and the driver's for a server that is silent. */
const statementLimits = { statement_timeout: 10_000, lock_timeout: 5000, query_timeout: 12_000 }

/**
 * Connects to a PostgreSQL 15 or newer, which any number of services may share. Integers of 64 bits come as numbers (the
 * service's are counts and times, far below 2^53), points in time as `Date`.
 *
 * @param url `postgres://` or `postgresql://`; its parameters are those of libpq, such as `sslmode=verify-full`
 */
export function postgresDialect(url: string): DatabaseDialect {
  const { pool, count } = createPool(url, statementLimits)
  return {
    name: 'postgres',
    kysely: new KyselyPostgresDialect({ pool }),
    pool: count,
    // An index over a million rows takes its time, and so does waiting for another process that builds it.
    migrating: () => new KyselyPostgresDialect(createPool(url, {})),
    search: postgresSearch,
    timestampType: 'timestamptz',
    identity: column => column.primaryKey().generatedByDefaultAsIdentity(),
  }
}

function createPool(
  url: string,
  options: pg.PoolConfig,
): { readonly pool: PostgresPool; readonly count: () => PoolCounts } {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'service',
    keepAlive: true,
    types: { getTypeParser },
    ...limits,
    // Longest wait for a connection, be it a new one or one that comes free.
    connectionTimeoutMillis: (readConnectTimeout(url) ?? 2) * 1000,
    ...options,
  })
  // The pool takes a broken connection out by itself, and who used it learns it from the query. An event that nobody
  // listens to would end the process.
  pool.on('error', ignore)
  pool.on('connect', client => client.on('error', ignore))
  const clients = new WeakMap<pg.PoolClient, pg.PoolClient>()
  const connect = async () => {
    try {
      const client = await pool.connect()
      const known = clients.get(client) ?? discardLost(client)
      clients.set(client, known)
      return known
    } catch (error) {
      noteFailure(error)
      throw error
    }
  }
  return {
    pool: { connect, end: () => pool.end(), options: pool.options },
    count: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)

function ignore(): void {}
