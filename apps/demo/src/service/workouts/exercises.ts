import { optionalText } from '@service-link/protocol-core'
import { Hono } from 'hono'
import { z } from 'zod'
import type { TextSearch } from '../database/dialect.ts'
import type { Database, ExerciseRow } from '../database/tables.ts'
import { ApiError, type AppEnv, readId, readQuery } from '../http/api.ts'

/** An exercise as the API gives it. */
export interface ExerciseRecord {
  readonly id: number
  readonly name: string
  readonly muscles: readonly string[]
  readonly equipment: string
  readonly level: string
  readonly instruction: string
}

/** Most exercises that one list holds. */
const maxListedExercises = 200

/** Finds exercises by their words, best first; all of them, by name, when nothing is looked for. */
async function findExercises(
  database: Database,
  search: TextSearch,
  text: string,
): Promise<ExerciseRecord[]> {
  if (text.trim() === '') {
    const rows = await database
      .selectFrom('exercises')
      .selectAll()
      .orderBy('name')
      .limit(maxListedExercises)
      .execute()
    return rows.map(exerciseFromRow)
  }
  const ids = await search.find(database, 'exercise', text, maxListedExercises)
  if (ids.length === 0) return []
  const rows = await database.selectFrom('exercises').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = byId.get(id)
    return row ? [exerciseFromRow(row)] : []
  })
}

/** Finds one exercise. */
async function findExercise(database: Database, id: number): Promise<ExerciseRecord | undefined> {
  const row = await database.selectFrom('exercises').selectAll().where('id', '=', id).executeTakeFirst()
  return row && exerciseFromRow(row)
}

function exerciseFromRow({ id, name, muscles, equipment, level, instruction }: ExerciseRow): ExerciseRecord {
  return { id, name, muscles: JSON.parse(muscles), equipment, level, instruction }
}

/** The exercise library. */
export function exerciseRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .get('/exercises', async c => {
      const { text } = readQuery(c, z.object({ text: optionalText }))
      return c.json({ exercises: await findExercises(database, search, text ?? '') })
    })
    .get('/exercises/:id', async c => {
      const exercise = await findExercise(database, readId(c))
      if (!exercise) throw new ApiError('ERR_NOT_FOUND', 'There is no such exercise.')
      return c.json({ exercise })
    })
}
