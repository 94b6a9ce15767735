import { optionalText } from '@service-link/protocol-core'
import { Hono } from 'hono'
import { z } from 'zod'
import type { TextSearch } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readId, readQuery } from '../http/read-body.ts'
import { findExercise, findExercises } from './exercise-store.ts'

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
