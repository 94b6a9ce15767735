import { keepable, optionalText, optionalWireInteger, parseIsoDate } from '@service-link/protocol-core'
import { type Language, languageAsked } from '@service-link/ui/language'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { matchesOf, type TextSearch } from '../database/dialect.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database, ExerciseRow } from '../database/tables.ts'
import { type AppEnv, jsonBody, type Page, pageSchema, readId, recordId, recordIdOf } from '../http/api.ts'
import { ApiError } from '../http/api-error.ts'
import { listPersons } from '../persons/persons.ts'
import { inLanguage, pageInLanguage } from './library-texts.ts'
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

const languageOf = ({ req }: Context) => languageAsked(req.header('accept-language'))

export function workoutRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .post('/workouts/search', jsonBody(searchSchema), async c => {
      const { organizationId } = c.get('employee')
      const input = { ...c.req.valid('json'), language: languageOf(c) }
      return c.json(await searchWorkouts(database, search, organizationId, input))
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
      const workouts = await listWorkoutsOf(database, organizationId, personIds, from)
      const language = languageOf(c)
      return c.json({ workouts: workouts.map(workout => inLanguage(language, workout)) })
    })
    .get('/workouts/:id', async c => {
      const workout = await findWorkout(database, c.get('employee').organizationId, readId(c))
      if (!workout) throw new ApiError('ERR_NOT_FOUND', 'There is no such workout for this organization.')
      return c.json({ workout: inLanguage(languageOf(c), workout) })
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
      const { kind } = gift
      const reply = { kind, workout: inLanguage(languageOf(c), workout) }
      return c.json(reply, kind === 'given' ? 201 : 200)
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

/** Finds exercises by their words, best first. Without words, all of them by name. */
async function searchExercises(
  database: Database,
  search: TextSearch,
  language: Language,
  { text = '', ...page }: Page & { readonly text?: string | undefined },
) {
  const rows = await database
    .selectFrom('exercises')
    .innerJoin(matchesOf(search, 'exercise', text), 'found.id', 'exercises.id')
    .selectAll('exercises')
    .select('found.rank')
    .execute()
  return { total: rows.length, exercises: pageInLanguage(language, rows.map(exerciseFromRow), page) }
}

function exerciseFromRow<Row extends ExerciseRow>({ muscles, ...row }: Row) {
  return { ...row, muscles: wordsSchema.parse(JSON.parse(muscles)) }
}

const wordsSchema = z.array(z.string())

export function exerciseRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .post('/exercises/search', jsonBody(searchSchema), async c => {
      return c.json(await searchExercises(database, search, languageOf(c), c.req.valid('json')))
    })
    .get('/exercises/:id', async c => {
      const exercises = database.selectFrom('exercises').selectAll().where('id', '=', readId(c))
      const row = await exercises.executeTakeFirst()
      if (!row) throw new ApiError('ERR_NOT_FOUND', 'There is no such exercise.')
      return c.json({
        exercise: inLanguage(languageOf(c), exerciseFromRow(row)),
      })
    })
}
