import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Employee } from '../../service/http/api.ts'
import type { PartnerLinkEntry } from '../../service/partner-link/link-routes.ts'
import type { StoredPerson } from '../../service/persons/person-row.ts'
import type { ExerciseRecord } from '../../service/workouts/workout-routes.ts'
import type { WorkoutRecord, WorkoutSummary } from '../../service/workouts/workout-store.ts'
import { createQueryClient, expectAccount, request } from './request.ts'

export type { Employee, ExerciseRecord, StoredPerson, WorkoutRecord, WorkoutSummary }

/** The signed-in employee. If the employee changes, the page drops the former one's data. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client }) => {
    const session = await request<{ employee: Employee | null }>('GET', '/session')
    if (expectAccount(session.employee?.accountId))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    return session
  },
  select: ({ employee }) => employee,
  staleTime: 0,
})

export const signInHintQuery = queryOptions({
  queryKey: ['sign-in-hint'],
  queryFn: () =>
    request<{ accounts: { email: string; password: string; name: string }[] }>('GET', '/sign-in-hint'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const personsQuery = (text: string) =>
  queryOptions({
    queryKey: ['persons', 'search', text],
    queryFn: () => request<{ persons: StoredPerson[] }>('POST', '/persons/search', { text }),
    select: ({ persons }) => persons,
  })

export const personsByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['persons', 'ids', ids],
    queryFn: () => request<{ persons: StoredPerson[] }>('POST', '/persons/search', { ids }),
    select: ({ persons }) => persons,
  })

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: () => request<{ person: StoredPerson }>('GET', `/persons/${id}`),
    select: ({ person }) => person,
  })

export const personWorkoutsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['person-workouts', userId],
    queryFn: () => request<{ workouts: WorkoutSummary[] }>('POST', '/workouts/for-person', { userId }),
    select: ({ workouts }) => workouts,
  })

export const exercisesQuery = (text: string) =>
  queryOptions({
    queryKey: ['exercises', text],
    queryFn: () =>
      request<{ exercises: ExerciseRecord[] }>('GET', `/exercises?${new URLSearchParams({ text })}`),
    select: ({ exercises }) => exercises,
  })

export const exerciseQuery = (id: number) =>
  queryOptions({
    queryKey: ['exercise', id],
    queryFn: () => request<{ exercise: ExerciseRecord }>('GET', `/exercises/${id}`),
    select: ({ exercise }) => exercise,
  })

/** Workouts that match a text; the library if it is empty. */
export const workoutsQuery = (text: string) =>
  queryOptions({
    queryKey: ['workouts', text],
    queryFn: () =>
      request<{ workouts: WorkoutSummary[] }>('GET', `/workouts?${new URLSearchParams({ text })}`),
    select: ({ workouts }) => workouts,
  })

export const workoutQuery = (id: number) =>
  queryOptions({
    queryKey: ['workout', id],
    queryFn: () => request<{ workout: WorkoutRecord }>('GET', `/workouts/${id}`),
    select: ({ workout }) => workout,
  })

export const partnerLinksQuery = queryOptions({
  queryKey: ['partner-links'],
  queryFn: () => request<{ links: PartnerLinkEntry[] }>('GET', '/partner-links'),
  select: ({ links }) => links,
  staleTime: 0,
})

/** The page's data. If the service reports another session, the page asks for the signed-in employee again. */
export const queryClient: QueryClient = createQueryClient(error => {
  if (error.code === 'ERR_NOT_SIGNED_IN' || error.code === 'ERR_OTHER_ACCOUNT')
    void queryClient.invalidateQueries({ queryKey: ['session'] })
})
