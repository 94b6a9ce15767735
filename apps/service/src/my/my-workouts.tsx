import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ExerciseDrawing } from '../web/drawings/exercise-drawing.tsx'
import { doneText, formatDay, lineFacts } from '../web/parts/format.ts'
import { Note } from '../web/parts/frame.tsx'
import { errorText, t } from '../web/texts/texts.ts'
import { DoneToday } from './done-today.tsx'
import { type MyWorkoutReply, myWorkoutQuery, myWorkoutsQuery } from './my-queries.ts'
import { myText } from './my-texts.ts'

export function MyWorkoutList({ logInId }: { readonly logInId: string }) {
  const { data, error } = useQuery(myWorkoutsQuery(logInId))
  return (
    <>
      <h1>{myText('title')}</h1>
      {!data ? (
        <NoData error={error} title={myText('cannotShowList')} />
      ) : data.length === 0 ? (
        <section className="card my-card" data-testid="my-empty">
          <h2>{myText('nothing')}</h2>
          <p>{myText('nothingText')}</p>
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
                {workout.doneDays.length > 0 && <span className="dimmed">{doneText(workout.doneDays)}</span>}
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
      <i className="boot-block" />
      <i className="boot-block" />
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
        <Link href="/">{myText('back')}</Link>
        {data && (
          <button type="button" className="button quiet-button" onClick={() => window.print()}>
            {myText('print')}
          </button>
        )}
      </div>
      {data ? (
        <Workout logInId={logInId} workout={data} name={name} />
      ) : (
        <NoData error={error} title={myText('cannotShow')} testId="my-no-workout" />
      )}
    </>
  )
}

interface WorkoutProps extends Pick<MyWorkoutDetailProps, 'logInId' | 'name'> {
  readonly workout: MyWorkoutReply
}

function Workout({ logInId, workout, name }: WorkoutProps) {
  const { givenBy, organizationName, lastChangedAt } = workout
  return (
    <article data-testid="my-workout-detail">
      <h1>{workout.name}</h1>
      {name !== '' && <p className="print-only">{myText('for', { name })}</p>}
      <p className="dimmed">
        {myText('from', { name: givenBy, organization: organizationName, date: formatDay(lastChangedAt) })}
      </p>
      <p>{workout.description}</p>
      <ol className="plain-list stack my-list" aria-label={t('workouts.order')}>
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
      <DoneToday logInId={logInId} workout={workout} />
    </article>
  )
}
