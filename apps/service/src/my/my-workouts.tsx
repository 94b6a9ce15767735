import { presentLanguage } from '@service-link/ui/page-language'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { Link } from 'wouter'
import { answerOf, api, createQueryClient } from '../web/api/request.ts'
import { ExerciseDrawing } from '../web/drawings/exercise-drawing.tsx'
import { formatDay, lineFacts } from '../web/parts/format.ts'
import { Note } from '../web/parts/frame.tsx'
import { errorText, t } from '../web/texts/texts.ts'

const { my } = api

export type MySession = InferResponseType<typeof my.session.$get>

type MyWorkoutReply = InferResponseType<(typeof my.workouts)[':id']['$get']>['workout']

/**
 * The session. The page asks again when it comes into view and shortly before the session's end, because workouts
 * must not stay on an unattended screen. After another log-in the page drops the former data.
 */
export const mySessionQuery = queryOptions({
  queryKey: ['my', 'session'],
  queryFn: async ({ client, queryKey }) => {
    const former = client.getQueryData<MySession>(queryKey)
    const session = await answerOf(my.session.$get())
    if (former && former.consumer?.logInId !== session.consumer?.logInId)
      client.removeQueries({ queryKey: ['my', 'data'] })
    return session
  },
  staleTime: 0,
  // Asks shortly before the end, which use may have moved. Without an answer the page ends the session itself.
  refetchInterval: ({ state }) => {
    const { endsInMs = 0 } = state.data?.consumer ?? {}
    return endsInMs > 2 * askBeforeEndMs && endsInMs - askBeforeEndMs
  },
  refetchIntervalInBackground: true,
})

const askBeforeEndMs = 30_000

/** Removes the consumer and the data from the page, and asks the service for the session again. */
export function endMySession(): void {
  const { queryKey } = mySessionQuery
  myQueryClient.setQueryData(queryKey, session => session && { ...session, consumer: null })
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey })
}

/** Asks for the page's log-in. The service refuses to answer for another one. */
const as = (logInId: string) => ({ headers: { 'x-expected-log-in': logInId } })

const myWorkoutsQuery = (logInId: string) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workouts', presentLanguage()],
    queryFn: () => answerOf(my.workouts.$get({}, as(logInId))),
    select: ({ workouts }) => workouts,
  })

const myWorkoutQuery = (logInId: string, id: number) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workout', id, presentLanguage()],
    queryFn: () => answerOf(my.workouts[':id'].$get({ param: { id: String(id) } }, as(logInId))),
    select: ({ workout }) => workout,
  })

/** The page's data. They are dropped at the end of the session. */
export const myQueryClient: QueryClient = createQueryClient(error => {
  if (error.code !== 'ERR_NOT_SIGNED_IN' && error.code !== 'ERR_OTHER_LOG_IN') return
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey: ['my', 'session'] })
})

/** Ends the session; returns the address that ends it at the electronic ID too. */
export async function signOutOfMy(): Promise<string | null> {
  const { endSessionUrl } = await answerOf(my['sign-out'].$post({ json: {} }))
  return endSessionUrl
}

export function MyWorkoutList({ logInId }: { readonly logInId: string }) {
  const { data, error } = useQuery(myWorkoutsQuery(logInId))
  return (
    <>
      <h1>{t('my.title')}</h1>
      {!data ? (
        <NoData error={error} title={t('my.cannotShowList')} />
      ) : data.length === 0 ? (
        <section className="card my-card" data-testid="my-empty">
          <h2>{t('my.nothing')}</h2>
          <p>{t('my.nothingText')}</p>
        </section>
      ) : (
        <ul className="plain-list stack my-list" data-testid="my-workouts">
          {data.map(workout => (
            <li key={workout.id} data-testid="my-workout">
              <Link className="card my-card" href={`/workouts/${workout.id}`}>
                <b>{workout.name}</b>
                <span className="dimmed">
                  {workout.organizationName} · {formatDay(workout.lastChangedAt)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface NoDataProps {
  readonly error: Error | null
  readonly title: string
  readonly testId?: string
}

/** Boxes in the place of data that load, or the reason why there are none. */
function NoData({ error, title, testId }: NoDataProps) {
  if (error)
    return (
      <Note tone="danger" title={title} testId={testId}>
        {errorText(error, 'myWorkout')}
      </Note>
    )
  return (
    <div className="stack my-list" aria-label={t('app.loading')} role="progressbar">
      <i />
      <i />
    </div>
  )
}

interface MyWorkoutDetailProps {
  readonly logInId: string
  readonly id: number
  /** Name of the consumer, for the printed page. */
  readonly name: string
}

export function MyWorkoutDetail({ logInId, id, name }: MyWorkoutDetailProps) {
  const { data, error } = useQuery(myWorkoutQuery(logInId, id))
  return (
    <>
      <div className="row my-bar screen-only">
        <Link href="/">{t('my.back')}</Link>
        {data && (
          <button type="button" className="button quiet-button" onClick={() => window.print()}>
            {t('my.print')}
          </button>
        )}
      </div>
      {data ? (
        <Workout workout={data} name={name} />
      ) : (
        <NoData error={error} title={t('my.cannotShow')} testId="my-no-workout" />
      )}
    </>
  )
}

function Workout({ workout, name }: { readonly workout: MyWorkoutReply; readonly name: string }) {
  const { givenBy, organizationName, lastChangedAt } = workout
  return (
    <article data-testid="my-workout-detail">
      <h1>{workout.name}</h1>
      {name !== '' && <p className="print-only">{t('my.for', { name })}</p>}
      <p className="dimmed">
        {t('my.from', { name: givenBy, organization: organizationName, date: formatDay(lastChangedAt) })}
      </p>
      <p>{workout.description}</p>
      <ol className="plain-list stack my-list" aria-label={t('my.exercises')}>
        {workout.exercises.map(exercise => (
          <li key={exercise.position} className="card my-card my-exercise" data-testid="my-exercise">
            <ExerciseDrawing slug={exercise.slug} size={92} />
            <h2>
              {exercise.position}. {exercise.name}
            </h2>
            <p className="row my-facts">
              {lineFacts(exercise).map(fact => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
            <p>{exercise.instruction}</p>
          </li>
        ))}
      </ol>
    </article>
  )
}
