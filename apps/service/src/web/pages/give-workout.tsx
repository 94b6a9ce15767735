import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { at, personQuery, personWorkoutsQuery, queryClient, type WorkoutReply } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { formatDay, nameOf } from '../parts/format.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { errorText, t } from '../texts/texts.ts'

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
export function GiveWorkout({ workout, personId }: GiveWorkoutProps) {
  const [, goTo] = useLocation()
  const { data: person } = useQuery(personQuery(personId))
  const { data: theirs = [] } = useQuery(personWorkoutsQuery(personId))
  const name = person ? nameOf(person) : t('focus.title')
  const give = useMutation({
    mutationFn: (intent: Intent) =>
      answerOf(api.workouts[':id'].give.$post({ ...at(workout.id), json: { personId, ...intent } })),
    onSuccess: async ({ kind, workout: copy }) => {
      await queryClient.invalidateQueries({ queryKey: ['person-workouts', personId] })
      if (kind !== 'given') return dismissNotice('workout')
      tell({
        subject: 'workout',
        tone: 'success',
        title: t('workouts.given', { name }),
        text: t('workouts.givenText', { workout: copy.name }),
        action: { text: t('app.undo'), run: () => void takeBack(copy) },
      })
      goTo(`/workouts/${copy.id}`)
    },
  })
  const original = workout.givenFrom ?? workout.id
  const earlier =
    theirs.find(({ givenFrom }) => givenFrom === original) ??
    (give.data?.kind === 'already-given' ? give.data.workout : undefined)
  // Where an answer is missing, the same intent is sent again.
  const failed = give.isError ? give.variables : undefined
  const label = failed ? t('app.tryAgain') : t(earlier ? 'workouts.giveAgain' : 'workouts.give', { name })
  return (
    <Stack gap={4} align="flex-start" className="screen-only">
      <Button
        data-testid="give-workout"
        variant={earlier ? 'default' : 'filled'}
        loading={give.isPending}
        onClick={once(() =>
          give.mutate(failed ?? { key: crypto.randomUUID(), isAgain: earlier !== undefined }),
        )}
      >
        {label}
      </Button>
      <Text
        size="sm"
        maw="32ch"
        c={failed ? 'var(--text-danger)' : 'dimmed'}
        role="status"
        data-testid="give-status"
      >
        {failed
          ? `${errorText(give.error, 'workout')} ${t('workouts.givenOnce', { name })}`
          : earlier && t('workouts.alreadyGiven', { date: formatDay(earlier.lastChangedAt) })}
      </Text>
    </Stack>
  )
}

/** Takes a double click as one click. Its second may come before the button waits, or meet the button of the next page. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

/** How long the page offers to take a workout back, in milliseconds; the service has the same limit. */
const undoMs = 60 * 60 * 1000

/** A button that undoes a recent gift. */
export function TakeBack({ workout }: { readonly workout: WorkoutReply }) {
  const [isRecent] = useState(() => Date.now() - Date.parse(workout.lastChangedAt) < undoMs)
  const undo = useMutation({ mutationFn: () => takeBack(workout) })
  if (!isRecent) return null
  return (
    <Button
      variant="default"
      className="screen-only"
      data-testid="take-back"
      loading={undo.isPending}
      onClick={once(() => undo.mutate())}
    >
      {t('workouts.takeBack')}
    </Button>
  )
}

async function takeBack(copy: Pick<WorkoutReply, 'id' | 'givenFrom' | 'name' | 'personId'>): Promise<void> {
  try {
    await answerOf(api.workouts[':id'].withdraw.$post(at(copy.id)))
    tell({
      subject: 'workout',
      tone: 'info',
      title: t('workouts.takenBack'),
      text: t('workouts.takenBackText', { workout: copy.name }),
    })
    if (window.location.pathname === `/workouts/${copy.id}`)
      navigate(copy.givenFrom === null ? '/workouts' : `/workouts/${copy.givenFrom}`, { replace: true })
  } catch (error) {
    tell({
      subject: 'workout',
      tone: 'warning',
      title: t('workouts.notTakenBack'),
      text: errorText(error, 'workout'),
      action: { text: t('app.tryAgain'), run: () => void takeBack(copy) },
    })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['person-workouts', copy.personId] })
    await queryClient.invalidateQueries({ queryKey: ['workouts'] })
  }
}
