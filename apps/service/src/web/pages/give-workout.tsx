import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { at, personQuery, personWorkoutsQuery, queryClient, type WorkoutReply } from '../api/queries.ts'
import { answerOf, api, isForOtherAccount } from '../api/request.ts'
import { formatDay, nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { nameInNotice, presentFocus } from '../session/focus.ts'
import { errorText, t } from '../texts/texts.ts'
import { pageText } from './page-texts.ts'

interface WorkoutActionsProps {
  readonly workout: WorkoutReply
  readonly focusedPersonId: number | undefined
}

/** What can be done with a workout, each button with the name of the patient. */
export function WorkoutActions({ workout, focusedPersonId }: WorkoutActionsProps) {
  const { id, personId } = workout
  return (
    <Stack gap="xs" align="flex-start" maw="100%" className="screen-only">
      {focusedPersonId === undefined ? (
        <Text size="sm" maw="32ch">
          {pageText('giving.giveToNobody')}{' '}
          <Anchor component={Link} href="/persons" size="sm">
            {t('workouts.choosePatient')}
          </Anchor>
        </Text>
      ) : (
        focusedPersonId !== personId && (
          <GiveWorkout key={`${id} ${focusedPersonId}`} workout={workout} personId={focusedPersonId} />
        )
      )}
      {personId !== null && <TakeBack workout={workout} />}
    </Stack>
  )
}

interface Intent {
  /** Made once for a click. A repeated request with it gives no second copy. */
  readonly key: string
  readonly isAgain: boolean
}

interface GiveWorkoutProps {
  readonly workout: WorkoutReply
  readonly personId: number
}

/** A button that gives the person in focus a copy of the workout; a second copy only after saying so. */
function GiveWorkout({ workout, personId }: GiveWorkoutProps) {
  const { data: person } = useQuery(personQuery(personId))
  const { data: theirs = [] } = useQuery(personWorkoutsQuery(personId))
  const name = person && nameOf(person)
  // A command may have brought another patient or page meanwhile.
  const isHere = () =>
    window.location.pathname === `/workouts/${workout.id}` && presentFocus()?.personId === personId
  const give = useMutation({
    mutationFn: (intent: Intent) =>
      answerOf(api.workouts[':id'].give.$post({ ...at(workout.id), json: { personId, ...intent } })),
    onSuccess: async ({ kind, workout: copy }) => {
      await queryClient.invalidateQueries({ queryKey: ['person-workouts', personId] })
      if (kind !== 'given') {
        if (isHere()) moveKeyboard('[data-testid="give-workout"]:enabled')
        return dismissNotice('workout')
      }
      tell({
        subject: 'workout',
        tone: 'success',
        title: t('workouts.given', { name: nameInNotice(name) }),
        action: { text: t('app.undo'), run: () => void takeBack(copy) },
      })
      if (!isHere()) return
      moveToWorkout(copy.id)
      navigate(`/workouts/${copy.id}`)
    },
    onError(error) {
      if (isForOtherAccount(error)) return
      if (isHere()) return moveKeyboard('[data-testid="give-workout"]:enabled')
      const title = t('workouts.notGiven', { name: nameInNotice(name) })
      tell({ subject: 'workout', tone: 'warning', title, text: errorText(error, 'workout') })
    },
  })
  // The bar says why there is nobody to give to.
  if (name === undefined) return null
  const original = workout.givenFrom ?? workout.id
  const earlier =
    theirs.find(({ givenFrom }) => givenFrom === original) ??
    (give.data?.kind === 'already-given' ? give.data.workout : undefined)
  // Where an answer is missing, the same intent is sent again.
  const failed = give.isError ? give.variables : undefined
  const label = failed ? 'giving.tryGiving' : earlier ? 'giving.giveAgain' : 'giving.give'
  return (
    <>
      {workout.personId !== null && (
        <Text size="sm" maw="32ch" c="var(--text-warning)" data-testid="give-copy">
          {t('workouts.givesCopy', { owner: ownerOf(workout), name })}
        </Text>
      )}
      <Button
        maw="100%"
        data-testid="give-workout"
        variant={earlier ? 'default' : 'filled'}
        loading={give.isPending}
        onClick={once(() =>
          give.mutate(failed ?? { key: crypto.randomUUID(), isAgain: earlier !== undefined }),
        )}
      >
        {pageText(label, { name })}
      </Button>
      {(failed || earlier) && (
        <Text
          size="sm"
          maw="32ch"
          c={failed ? 'var(--text-danger)' : 'dimmed'}
          role={failed ? 'alert' : give.data && 'status'}
          data-testid="give-status"
        >
          {failed
            ? `${errorText(give.error, 'workout')} ${pageText('giving.givenOnce', { name })}`
            : earlier && pageText('giving.alreadyGiven', { date: formatDay(earlier.lastChangedAt) })}
        </Text>
      )}
    </>
  )
}

const ownerOf = ({ personName }: Pick<WorkoutReply, 'personName'>) => personName ?? t('persons.withoutName')

/** Puts the keyboard on the name of a workout that the page opens. */
const moveToWorkout = (id: number) => moveKeyboard(`[data-workout-id="${id}"] h2`)

/** Takes a double click as one click. Its second may come before the button waits, or meet the button of the next page. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

/** How long the page offers to take a workout back, in milliseconds; the service has the same limit. */
const undoMs = 60 * 60 * 1000

/** A button that undoes a recent gift. */
function TakeBack({ workout }: { readonly workout: WorkoutReply }) {
  const [isRecent] = useState(() => Date.now() - Date.parse(workout.lastChangedAt) < undoMs)
  const undo = useMutation({ mutationFn: () => takeBack(workout) })
  if (!isRecent) return null
  return (
    <Button
      variant="default"
      maw="100%"
      data-testid="take-back"
      loading={undo.isPending}
      onClick={once(() => undo.mutate())}
    >
      {t('workouts.takeBack', { name: ownerOf(workout) })}
    </Button>
  )
}

async function takeBack(copy: WorkoutReply): Promise<void> {
  try {
    await answerOf(api.workouts[':id'].withdraw.$post(at(copy.id)))
    tell({
      subject: 'workout',
      tone: 'info',
      title: t('workouts.takenBack', { name: nameInNotice(ownerOf(copy)) }),
    })
    if (window.location.pathname !== `/workouts/${copy.id}`) return
    if (copy.givenFrom === null) moveKeyboard('#content h1')
    else moveToWorkout(copy.givenFrom)
    navigate(copy.givenFrom === null ? '/workouts' : `/workouts/${copy.givenFrom}`, { replace: true })
  } catch (error) {
    tell({
      subject: 'workout',
      tone: 'warning',
      title: pageText('giving.notTakenBack'),
      text: errorText(error, 'workout'),
      action: { text: t('app.tryAgain'), run: () => void takeBack(copy) },
    })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['person-workouts', copy.personId] })
    await queryClient.invalidateQueries({ queryKey: ['workouts'] })
  }
}
