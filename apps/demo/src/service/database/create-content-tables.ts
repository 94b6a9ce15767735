import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Exercises, workouts, and the full-text index over both. */
export async function createContentTables(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  await db.schema
    .createTable('exercises')
    .addColumn('id', 'integer', column => dialect.identity(column))
    .addColumn('slug', 'text', column => column.notNull().unique())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('muscles', 'text', column => column.notNull())
    .addColumn('equipment', 'text', column => column.notNull())
    .addColumn('level', 'text', column => column.notNull())
    .addColumn('instruction', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('workouts')
    .addColumn('id', 'integer', column => dialect.identity(column))
    .addColumn('slug', 'text', column => column.unique())
    .addColumn('organization_id', 'integer', column => column.references('organizations.id'))
    .addColumn('person_id', 'integer', column => column.references('persons.id'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('description', 'text', column => column.notNull())
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('updated_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('workouts_by_person')
    .on('workouts')
    .columns(['person_id', 'updated_at'])
    .execute()
  await db.schema
    .createTable('workout_exercises')
    .addColumn('workout_id', 'integer', column =>
      column.notNull().references('workouts.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('exercise_id', 'integer', column => column.notNull().references('exercises.id'))
    .addColumn('sets', 'integer', column => column.notNull())
    .addColumn('reps', 'integer')
    .addColumn('seconds', 'integer')
    .addColumn('rest_seconds', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('workout_exercises_key', ['workout_id', 'position'])
    .execute()
  await dialect.search.createIndex(db)
}
