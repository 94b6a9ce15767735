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

interface Answers {
  readonly persons: StoredPerson[]
  readonly person: StoredPerson
  readonly exercises: ExerciseRecord[]
  readonly exercise: ExerciseRecord
  readonly workouts: WorkoutSummary[]
  readonly workout: WorkoutRecord
  readonly links: PartnerLinkEntry[]
}

/** A query whose answer holds its data in one member. */
const queryOf = <Member extends keyof Answers>(
  member: Member,
  queryKey: readonly unknown[],
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) =>
  queryOptions({
    queryKey,
    queryFn: () => request<Pick<Answers, Member>>(method, path, body),
    select: answer => answer[member],
  })

const queryString = (text: string) => new URLSearchParams({ text })

export const personsQuery = (text: string) =>
  queryOf('persons', ['persons', 'search', text], 'POST', '/persons/search', { text })

export const personsByIdQuery = (ids: readonly number[]) =>
  queryOf('persons', ['persons', 'ids', ids], 'POST', '/persons/search', { ids })

export const personQuery = (id: number) => queryOf('person', ['person', id], 'GET', `/persons/${id}`)

export const personWorkoutsQuery = (userId: number) =>
  queryOf('workouts', ['person-workouts', userId], 'POST', '/workouts/for-person', { userId })

export const exercisesQuery = (text: string) =>
  queryOf('exercises', ['exercises', text], 'GET', `/exercises?${queryString(text)}`)

export const exerciseQuery = (id: number) => queryOf('exercise', ['exercise', id], 'GET', `/exercises/${id}`)

/** Workouts that match a text; the library if it is empty. */
export const workoutsQuery = (text: string) =>
  queryOf('workouts', ['workouts', text], 'GET', `/workouts?${queryString(text)}`)

export const workoutQuery = (id: number) => queryOf('workout', ['workout', id], 'GET', `/workouts/${id}`)

export const partnerLinksQuery = {
  ...queryOf('links', ['partner-links'], 'GET', '/partner-links'),
  staleTime: 0,
}

/** The page's data. If the service reports another session, the page asks for the signed-in employee again. */
export const queryClient: QueryClient = createQueryClient(error => {
  if (error.code === 'ERR_NOT_SIGNED_IN' || error.code === 'ERR_OTHER_ACCOUNT')
    void queryClient.invalidateQueries({ queryKey: ['session'] })
})
