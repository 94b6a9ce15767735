import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { personQuery, type WorkoutRecord } from '../api/queries.ts'
import { request } from '../api/request.ts'
import { tell } from '../notices/notices.tsx'
import { nameOf } from '../person-name.ts'

/** What {@link GiveWorkout} needs. */
export interface GiveWorkoutProps {
  readonly workout: WorkoutRecord
  /** Service user id of the person in focus. */
  readonly personId: number
}

/** Gives the person in focus a copy of a workout, and shows that copy. */
export function GiveWorkout({ workout, personId }: GiveWorkoutProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { data: person } = useQuery(personQuery(personId))
  const name = person ? nameOf(person) : 'the person in focus'
  const give = useMutation({
    mutationFn: () =>
      request<{ workout: WorkoutRecord }>('POST', `/workouts/${workout.id}/give`, { personId }),
    onSuccess: async ({ workout: given }) => {
      await client.invalidateQueries({ queryKey: ['person-workouts', personId] })
      tell({
        subject: 'workout',
        tone: 'success',
        title: `Given to ${name}`,
        text: `${given.name} is now their own.`,
      })
      navigate(`/workouts/${given.id}`)
    },
    onError: error => tell({ subject: 'workout', tone: 'warning', title: 'Not given', text: error.message }),
  })
  if (workout.personId === personId) return null
  return (
    <Button
      data-testid="give-workout"
      onClick={() => give.mutate()}
      loading={give.isPending}
      style={{ flexShrink: 0 }}
    >
      Give to {name}
    </Button>
  )
}
