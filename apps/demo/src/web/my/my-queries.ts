import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import type { MyWorkout, MyWorkoutRecord } from '../../service/my/my-workouts.ts'
import { ApiFailure, request } from '../api/request.ts'

export type { MyWorkout, MyWorkoutRecord }

/** Who is logged in to the consumer app. */
export interface MySession {
  /** Whether the service has a log-in through an electronic ID. */
  readonly isSetUp: boolean
  readonly consumer: {
    /** Of this log-in alone. */
    readonly logInId: string
    /** May be empty. */
    readonly name: string
    /** How long the session lasts unless it is used, in milliseconds. */
    readonly endsInMs: number
  } | null
}

/**
 * Who is logged in; asked again whenever the page comes back into view, and when the session should have ended: workouts do
 * not stay on a screen that nobody sits at. When it is another log-in than before, what the page knows of the former one's
 * data goes.
 */
export const mySessionQuery = queryOptions({
  queryKey: ['my', 'session'],
  queryFn: async ({ client, queryKey }) => {
    const former = client.getQueryData<MySession>(queryKey)
    const session = await request<MySession>('GET', '/my/session')
    if (former && former.consumer?.logInId !== session.consumer?.logInId)
      client.removeQueries({ queryKey: ['my', 'data'] })
    return session
  },
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.consumer ? state.data.consumer.endsInMs + 1000 : false),
  refetchIntervalInBackground: true,
})

/** All workouts of the person. */
export const myWorkoutsQuery = queryOptions({
  queryKey: ['my', 'data', 'workouts'],
  queryFn: () => request<{ workouts: MyWorkout[] }>('GET', '/my/workouts'),
  select: ({ workouts }) => workouts,
})

/** One workout of the person, with its exercises. */
export const myWorkoutQuery = (id: number) =>
  queryOptions({
    queryKey: ['my', 'data', 'workout', id],
    queryFn: () => request<{ workout: MyWorkoutRecord }>('GET', `/my/workouts/${id}`),
    select: ({ workout }) => workout,
  })

/** What the page knows of the service's data. Where a session has ended, what was shown in it goes. */
export const myQueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (!(error instanceof ApiFailure && error.code === 'ERR_NOT_SIGNED_IN')) return
      myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
      void myQueryClient.invalidateQueries({ queryKey: ['my', 'session'] })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
})

/**
 * Ends the session.
 *
 * @returns where the browser can end the one at the electronic ID, too
 * @throws {ApiFailure} when the service cannot be reached: the session goes on
 */
export async function signOutOfMy(): Promise<string | null> {
  const { endSessionUrl } = await request<{ endSessionUrl: string | null }>('POST', '/my/sign-out', {})
  return endSessionUrl
}
