import type { CreateTableBuilder, Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'

/** The four tables of the log-in library, in its column names, and the organization of an account. */
export async function createAuthTables(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
  const { timestampType } = dialect
  const withTimes = <Name extends string>(table: CreateTableBuilder<Name>) =>
    table
      .addColumn('createdAt', timestampType, column => column.notNull())
      .addColumn('updatedAt', timestampType, column => column.notNull())
  await withTimes(db.schema.createTable('auth_users'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('emailVerified', 'boolean', column => column.notNull())
    .addColumn('image', 'text')
    .addColumn('organizationId', 'integer', column => column.notNull().references('organizations.id'))
    .execute()
  await withTimes(db.schema.createTable('auth_sessions'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token', 'text', column => column.notNull().unique())
    .addColumn('userId', 'text', column => column.notNull().references('auth_users.id').onDelete('cascade'))
    .addColumn('expiresAt', timestampType, column => column.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .execute()
  await withTimes(db.schema.createTable('auth_accounts'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('accountId', 'text', column => column.notNull())
    .addColumn('providerId', 'text', column => column.notNull())
    .addColumn('userId', 'text', column => column.notNull().references('auth_users.id').onDelete('cascade'))
    .addColumn('accessToken', 'text')
    .addColumn('refreshToken', 'text')
    .addColumn('idToken', 'text')
    .addColumn('accessTokenExpiresAt', timestampType)
    .addColumn('refreshTokenExpiresAt', timestampType)
    .addColumn('scope', 'text')
    .addColumn('password', 'text')
    .execute()
  await withTimes(db.schema.createTable('auth_verifications'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('identifier', 'text', column => column.notNull())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('expiresAt', timestampType, column => column.notNull())
    .execute()
  await db.schema.createIndex('auth_sessions_by_user').on('auth_sessions').column('userId').execute()
  await db.schema.createIndex('auth_accounts_by_user').on('auth_accounts').column('userId').execute()
}
