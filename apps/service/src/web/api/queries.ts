import { presentLanguage } from '@service-link/ui/page-language'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { answerOf, api, createQueryClient } from './request.ts'

export const signInHintQuery = queryOptions({
  queryKey: ['sign-in-hint'],
  queryFn: () => answerOf(api['sign-in-hint'].$get()),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Records on one page of a list. */
export const pageSize = 50

/** The `:id` of an address. */
export const at = (id: number) => ({ param: { id: String(id) } })

/** A search as a body: an address would get into logs and caches. */
const pageOf = (text: string, offset: number) => ({
  json: { text, offset, limit: pageSize },
})

export const personsQuery = (text: string, offset: number) =>
  queryOptions({
    queryKey: ['persons', 'search', text, offset],
    queryFn: () => answerOf(api.persons.search.$post(pageOf(text, offset))),
    select: ({ total, persons }) => ({ total, items: persons }),
  })

/** Whom the employee worked with last. It tells the service whom the employee works with now. */
export const recentPersonsQuery = (personId: number | undefined) =>
  queryOptions({
    queryKey: ['persons', 'recent', personId],
    queryFn: () => answerOf(api.persons.recent.$post({ json: { personId } })),
    select: ({ persons }) => persons,
    placeholderData: keepPreviousData,
    // The list of all patients waits for it.
    retry: false,
  })

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: () => answerOf(api.persons[':id'].$get(at(id))),
    select: ({ person }) => person,
  })

export type StoredPerson = InferResponseType<(typeof api.persons)[':id']['$get']>['person']

export const personWorkoutsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['person-workouts', userId, presentLanguage()],
    queryFn: () => answerOf(api.workouts['for-person'].$post({ json: { userId } })),
    select: ({ workouts }) => workouts,
  })

export const exercisesQuery = (text: string, offset: number) =>
  queryOptions({
    queryKey: ['exercises', text, offset, presentLanguage()],
    queryFn: () => answerOf(api.exercises.search.$post(pageOf(text, offset))),
    select: ({ total, exercises }) => ({ total, items: exercises }),
  })

export const exerciseQuery = (id: number) =>
  queryOptions({
    queryKey: ['exercise', id, presentLanguage()],
    queryFn: () => answerOf(api.exercises[':id'].$get(at(id))),
    select: ({ exercise }) => exercise,
  })

export type ExerciseReply = InferResponseType<(typeof api.exercises)[':id']['$get']>['exercise']

/** Workouts that match a text; the library if it is empty. */
export const workoutsQuery = (text: string, offset: number) =>
  queryOptions({
    queryKey: ['workouts', text, offset, presentLanguage()],
    queryFn: () => answerOf(api.workouts.search.$post(pageOf(text, offset))),
    select: ({ total, workouts }) => ({ total, items: workouts }),
  })

export const workoutQuery = (id: number) =>
  queryOptions({
    queryKey: ['workout', id, presentLanguage()],
    queryFn: () => answerOf(api.workouts[':id'].$get(at(id))),
    select: ({ workout }) => workout,
  })

export type WorkoutReply = InferResponseType<(typeof api.workouts)[':id']['$get']>['workout']

export const partnerLinksQuery = queryOptions({
  queryKey: ['partner-links'],
  queryFn: () => answerOf(api['partner-links'].$get()),
  select: ({ links }) => links,
  staleTime: 0,
})

/** The page's data. If the service reports another session, the page asks for the signed-in employee again. */
export const queryClient: QueryClient = createQueryClient(error => {
  if (error.code === 'ERR_NOT_SIGNED_IN' || error.code === 'ERR_OTHER_ACCOUNT')
    void queryClient.invalidateQueries({ queryKey: ['session'] })
})
