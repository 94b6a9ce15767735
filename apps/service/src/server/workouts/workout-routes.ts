import { keepable, optionalText, optionalWireInteger, parseIsoDate } from '@service-link/protocol-core'
import { Hono } from 'hono'
import * as z from 'zod'
import { matchesOf, type TextSearch, totalRows } from '../database/dialect.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database, ExerciseRow } from '../database/tables.ts'
import {
  ApiError,
  type AppEnv,
  jsonBody,
  type Page,
  pageSchema,
  readId,
  recordId,
  recordIdOf,
} from '../http/api.ts'
import { listPersons } from '../persons/persons.ts'
import { findWorkout, giveWorkout, listWorkoutsOf, searchWorkouts, withdrawWorkout } from './workout-store.ts'

const isoDate = optionalText.check(
  z.refine(
    text => {
      try {
        return text === undefined || parseIsoDate(text) === text
      } catch {
        return false
      }
    },
    { error: 'must be a date, YYYY-MM-DD' },
  ),
)

/** Posted, because addresses get into logs and caches. */
const searchSchema = z.object({ text: optionalText, ...pageSchema.shape })

const giveSchema = z.object({
  personId: recordId,
  key: z
    .string()
    .min(16)
    .max(64)
    .refine(...keepable),
  isAgain: z.boolean().default(false),
})

const forPersonSchema = z
  .object({ customId: optionalText, userId: optionalWireInteger, from: isoDate })
  .refine(({ customId, userId }) => customId !== undefined || userId !== undefined, {
    error: 'needs customId or userId',
  })

const noGift = () => new ApiError('ERR_NOT_FOUND', 'There is no such workout or person.')

export function workoutRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .post('/workouts/search', jsonBody(searchSchema), async c => {
      const { organizationId } = c.get('employee')
      return c.json(await searchWorkouts(database, search, organizationId, c.req.valid('json')))
    })
    .post('/workouts/for-person', jsonBody(forPersonSchema), async c => {
      const { organizationId } = c.get('employee')
      const { customId, userId, from } = c.req.valid('json')
      const filter = userId === undefined ? { customId } : { ids: [recordIdOf(userId)] }
      const persons = await listPersons(database, search, organizationId, filter)
      // An unknown CustomId is a person without workouts. An unknown user id is an error.
      if (persons.length === 0 && userId !== undefined)
        throw new ApiError('ERR_NOT_FOUND', 'There is no such person in this organization.')
      // Patients of two partners may have the same CustomId. Neither gets the other's workouts.
      if (persons.length > 1)
        throw new ApiError('ERR_AMBIGUOUS_PERSON', 'Several persons have this CustomId.')
      const personIds = persons.map(person => person.userId)
      return c.json({ workouts: await listWorkoutsOf(database, organizationId, personIds, from) })
    })
    .get('/workouts/:id', async c => {
      const workout = await findWorkout(database, c.get('employee').organizationId, readId(c))
      if (!workout) throw new ApiError('ERR_NOT_FOUND', 'There is no such workout for this organization.')
      return c.json({ workout })
    })
    .post('/workouts/:id/give', jsonBody(giveSchema), async c => {
      const { organizationId, accountId, name } = c.get('employee')
      const owner = { accountId, name }
      const input = { ...c.req.valid('json'), organizationId, owner, workoutId: readId(c) }
      const gift = await runTransaction(database, transaction => giveWorkout(transaction, search, input), {
        isRepeatable: true,
      })
      const workout = gift && (await findWorkout(database, organizationId, gift.id))
      if (!workout) throw noGift()
      return c.json({ kind: gift.kind, workout }, gift.kind === 'given' ? 201 : 200)
    })
    .post('/workouts/:id/withdraw', async c => {
      const { organizationId } = c.get('employee')
      const status = await runTransaction(
        database,
        transaction => withdrawWorkout(transaction, organizationId, readId(c)),
        { isRepeatable: true },
      )
      if (!status) throw noGift()
      if (status === 'too-late')
        throw new ApiError('ERR_TOO_LATE', 'The workout was given too long ago to take it back.')
      return c.json({ status })
    })
}

interface ExerciseFacts {
  readonly id: number
  readonly name: string
  readonly muscles: readonly string[]
  readonly equipment: string
  readonly level: string
  readonly instruction: string
}

/** Finds exercises by their words, best first. Without words, all of them by name. */
async function searchExercises(
  database: Database,
  search: TextSearch,
  { text = '', offset, limit }: Page & { readonly text?: string | undefined },
) {
  const rows = await database
    .selectFrom('exercises')
    .innerJoin(matchesOf(search, 'exercise', text), 'found.id', 'exercises.id')
    .selectAll('exercises')
    .select(totalRows)
    .orderBy('found.rank')
    .orderBy('name')
    .orderBy('exercises.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return { total: rows[0]?.total ?? 0, exercises: rows.map(exerciseFromRow) }
}

function exerciseFromRow({ id, name, muscles, equipment, level, instruction }: ExerciseRow): ExerciseFacts {
  return { id, name, muscles: JSON.parse(muscles), equipment, level, instruction }
}

export function exerciseRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .post('/exercises/search', jsonBody(searchSchema), async c => {
      return c.json(await searchExercises(database, search, c.req.valid('json')))
    })
    .get('/exercises/:id', async c => {
      const exercises = database.selectFrom('exercises').selectAll().where('id', '=', readId(c))
      const row = await exercises.executeTakeFirst()
      if (!row) throw new ApiError('ERR_NOT_FOUND', 'There is no such exercise.')
      return c.json({ exercise: exerciseFromRow(row) })
    })
}
