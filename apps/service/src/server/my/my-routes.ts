import { compareIdentityNumbers, normalizeIdentityNumber } from '@service-link/protocol-core/person'
import { languageAsked } from '@service-link/ui/language'
import { Hono } from 'hono'
import { buildEndSessionUrl, type Configuration } from 'openid-client'
import type { Logger } from 'pino'
import * as z from 'zod'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { type AppEnv, jsonBody, readId, unreadBody } from '../http/api.ts'
import { ApiError } from '../http/api-error.ts'
import { readPage } from '../http/own-site.ts'
import type { EIdSettings } from '../operations/settings.ts'
import { doneDaysOf, isTodaySomewhere, setDone } from '../workouts/done-days.ts'
import { inLanguage } from '../workouts/library-texts.ts'
import { findWorkout } from '../workouts/workout-store.ts'
import {
  type Consumer,
  type ConsumerAuth,
  consumerSessionSeconds,
  createConsumerAuth,
  readConsumer,
} from './consumer-auth.ts'
import { type IssuerConnection, issuerConnection } from './issuer.ts'
import { logInRoutes } from './log-in-routes.ts'

interface CreateMyOptions {
  readonly publicUrl: string
  readonly open: OpenDatabase
  readonly secret: string
  /** How long after its log-in a session ends, in milliseconds; see also `readConsumer`. */
  readonly sessionMs: number
  readonly webAppFolder: string
  /** `undefined`: the consumer app says that it is not set up. */
  readonly eId: EIdSettings | undefined
  readonly logger: Logger
}

export type My = ReturnType<typeof createMy>

export function createMy({ publicUrl, open, secret, sessionMs, webAppFolder, eId, logger }: CreateMyOptions) {
  const { database, dialectName } = open
  const auth = createConsumerAuth({ database, dialectName, publicUrl, secret, sessionMs })
  const issuer = eId && issuerConnection(eId)
  const page = new Hono<AppEnv>().on('GET', ['/my', '/my/*'], async c => {
    c.header('cache-control', 'no-store')
    return c.html(await readPage(webAppFolder, 'my', c.req.header('accept-language')))
  })
  const problemPage = async (code: string, accepted: string | undefined) =>
    (await readPage(webAppFolder, 'my', accepted)).replace('id="root"', `id="root" data-code="${code}"`)
  return {
    /** Below `/api/my`. */
    api: myRoutes(publicUrl, database, auth, issuer),
    /** `/my` and all paths below: the log-in and the page of the app. */
    pages: new Hono<AppEnv>()
      .route('/my', logInRoutes({ publicUrl, secret, database, auth, issuer, logger, problemPage }))
      .route('/', page),
  }
}

/** The day is the page's: only the device knows its zone. */
const doneSchema = z.object({ day: z.iso.date(), isDone: z.boolean() })

const noWorkout = () => new ApiError('ERR_NOT_FOUND', 'You have no such workout.')

type MyEnv = AppEnv & { Variables: { consumer: Consumer } }

/**
 * The consumer app's API, below `/my`. It answers only for the log-in that the page was drawn for. If somebody else
 * logs in in the same browser, the former person's page must not show the new person's workouts.
 */
function myRoutes(
  publicUrl: string,
  database: Database,
  auth: ConsumerAuth,
  issuer: IssuerConnection | undefined,
) {
  const data = new Hono<MyEnv>()
    .use(async (c, next) => {
      const { consumer, cookies } = await readConsumer(auth, c.req.raw.headers, true)
      if (!consumer) throw new ApiError('ERR_NOT_SIGNED_IN', 'You are not signed in. Sign in and try again.')
      const expected = c.req.header('x-expected-log-in')
      if (expected !== undefined && expected !== consumer.logInId)
        throw new ApiError(
          'ERR_OTHER_LOG_IN',
          'Somebody else has signed in in this browser. Load the page again.',
        )
      c.set('consumer', consumer)
      await next()
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    })
    .get('/workouts', async c => {
      const workouts = await listMyWorkouts(database, c.get('consumer').identityNumber)
      const language = languageAsked(c.req.header('accept-language'))
      return c.json({ workouts: workouts.map(workout => inLanguage(language, workout)) })
    })
    .get('/workouts/:id', async c => {
      const workout = await findMyWorkout(database, c.get('consumer').identityNumber, readId(c))
      if (!workout) throw noWorkout()
      return c.json({ workout: inLanguage(languageAsked(c.req.header('accept-language')), workout) })
    })
    .put('/workouts/:id/done', jsonBody(doneSchema), async c => {
      const { day, isDone } = c.req.valid('json')
      if (!isTodaySomewhere(day)) throw new ApiError('ERR_NOT_TODAY', 'The day is not today.')
      const id = readId(c)
      if (!(await findGiven(database, c.get('consumer').identityNumber, id))) throw noWorkout()
      await runTransaction(database, transaction => setDone(transaction, id, day, isDone), {
        isRepeatable: true,
      })
      return c.json({ day, isDone })
    })
    .all('*', () => {
      throw new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
    })
  return new Hono<AppEnv>()
    .get('/session', async c => {
      // Asking for the session must not prolong it.
      const { consumer } = await readConsumer(auth, c.req.raw.headers, false)
      return c.json({
        isSetUp: issuer !== undefined,
        lastsMinutes: consumerSessionSeconds / 60,
        consumer: consumer ? shown(consumer) : null,
      })
    })
    .post('/sign-out', unreadBody<object>(), async c => {
      const { response, headers } = await auth.api.signOutConsumer({
        headers: c.req.raw.headers,
        returnHeaders: true,
      })
      for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
      const configuration = response.wasSignedIn ? issuer?.known() : undefined
      return c.json({ endSessionUrl: configuration ? endSessionUrl(configuration, publicUrl) : null })
    })
    .route('/', data)
}

const shown = ({ logInId, name, endsAtMs }: Consumer) => ({
  logInId,
  name,
  endsInMs: Math.max(0, endsAtMs - Date.now()),
})

/**
 * Address that ends the session at the issuer; `null` if the issuer has none. It has no ID token as a hint, which
 * would put the identity number into an address.
 */
function endSessionUrl(configuration: Configuration, publicUrl: string): string | null {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null
  return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${publicUrl}/my` }).href
}

/**
 * Lists the workouts of all contacts with this identity number, in all organizations, newest first. Of a workout that
 * an organization gave several times it lists the newest copy.
 */
async function listMyWorkouts(database: Database, identityNumber: string) {
  const rows = await givenTo(database, await contactsOf(database, identityNumber))
    .orderBy('workouts.updated_at', 'desc')
    .orderBy('workouts.id', 'desc')
    .execute()
  const listed = new Map<string, Omit<(typeof rows)[number], 'organizationId' | 'givenFrom'>>()
  for (const { organizationId, givenFrom, ...workout } of rows) {
    const key = `${organizationId} ${givenFrom ?? `copy ${workout.id}`}`
    if (!listed.has(key)) listed.set(key, workout)
  }
  const workouts = Array.from(listed.values())
  const doneDays = await doneDaysOf(
    database,
    workouts.map(({ id }) => id),
  )
  return workouts.map(workout => ({ ...workout, doneDays: doneDays(workout.id) }))
}

/** Finds one of a consumer's workouts; `undefined` also for another person's. */
async function findGiven(database: Database, identityNumber: string, id: number) {
  const contacts = await contactsOf(database, identityNumber)
  return givenTo(database, contacts).where('workouts.id', '=', id).executeTakeFirst()
}

async function findMyWorkout(database: Database, identityNumber: string, id: number) {
  const row = await findGiven(database, identityNumber, id)
  if (!row) return undefined
  const { organizationId, givenFrom: _, ...workout } = row
  const found = await findWorkout(database, organizationId, id)
  if (!found) return undefined
  const exercises = found.exercises.map(({ exerciseId: _, ...exercise }) => exercise)
  return { ...workout, doneDays: found.doneDays, exercises }
}

/** Finds the contacts with an identity number in any spelling. One that may be of another country or century is not theirs. */
async function contactsOf(database: Database, ssn: string): Promise<readonly number[]> {
  const rows = await database
    .selectFrom('persons')
    .select(['id', 'ssn', 'date_of_birth as dateOfBirth'])
    .where('identity_key', '=', normalizeIdentityNumber(ssn) ?? '')
    .execute()
  return rows.filter(row => compareIdentityNumbers({ ssn }, row) === 'same').map(({ id }) => id)
}

function givenTo(database: Database, contacts: readonly number[]) {
  return database
    .selectFrom('persons')
    .innerJoin('workouts', join =>
      join
        .onRef('workouts.person_id', '=', 'persons.id')
        .onRef('workouts.organization_id', '=', 'persons.organization_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'persons.organization_id')
    .where(where => (contacts.length > 0 ? where('persons.id', 'in', contacts) : where.lit(false)))
    .where('workouts.withdrawn_at', 'is', null)
    .select([
      'workouts.id',
      'workouts.name',
      'workouts.description',
      'workouts.owner as givenBy',
      'workouts.updated_at as lastChangedAt',
      'organizations.name as organizationName',
      'persons.organization_id as organizationId',
      'workouts.given_from as givenFrom',
    ])
}
