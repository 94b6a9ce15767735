import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Sessions of employees in a partner's frame, with the partner whose page the frame is in. */
export async function createFrameSessions(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  const { timestampType } = dialect
  await db.schema
    .createTable('frame_sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token', 'text', column => column.notNull().unique())
    .addColumn('userId', 'text', column => column.notNull().references('auth_users.id').onDelete('cascade'))
    .addColumn('partnerId', 'text', column => column.notNull())
    .addColumn('expiresAt', timestampType, column => column.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .addColumn('createdAt', timestampType, column => column.notNull())
    .addColumn('updatedAt', timestampType, column => column.notNull())
    .execute()
  await db.schema.createIndex('frame_sessions_by_user').on('frame_sessions').column('userId').execute()
}
