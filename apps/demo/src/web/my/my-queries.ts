import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { MyWorkout, MyWorkoutRecord } from '../../service/my/my-workouts.ts'
import { createQueryClient, request } from '../api/request.ts'

export type { MyWorkout, MyWorkoutRecord }

/** Who is logged in to the consumer app. */
interface MySession {
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
  // Shortly before the end, which use may have put off: without an answer the page ends the session by itself.
  refetchInterval: ({ state }) => {
    const { endsInMs = 0 } = state.data?.consumer ?? {}
    return endsInMs > 2 * askBeforeEndMs && endsInMs - askBeforeEndMs
  },
  refetchIntervalInBackground: true,
})

/** How long before its end the page asks whether the session goes on, in milliseconds. */
const askBeforeEndMs = 30_000

/** Takes who is logged in, and their data, off the page; the service may say that the session goes on after all. */
export function endMySession(): void {
  const { queryKey } = mySessionQuery
  myQueryClient.setQueryData(queryKey, session => session && { ...session, consumer: null })
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey })
}

/** Asks as the log-in that the page is drawn for; the service refuses to answer for another. */
const requestAs = <Answer>(logInId: string, path: string) =>
  request<Answer>('GET', path, undefined, { 'x-expected-log-in': logInId })

/** All workouts of the person. */
export const myWorkoutsQuery = (logInId: string) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workouts'],
    queryFn: () => requestAs<{ workouts: MyWorkout[] }>(logInId, '/my/workouts'),
    select: ({ workouts }) => workouts,
  })

/** One workout of the person, with its exercises. */
export const myWorkoutQuery = (logInId: string, id: number) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workout', id],
    queryFn: () => requestAs<{ workout: MyWorkoutRecord }>(logInId, `/my/workouts/${id}`),
    select: ({ workout }) => workout,
  })

/** The page's data. Where a session has ended, what was shown in it goes. */
export const myQueryClient: QueryClient = createQueryClient(error => {
  if (error.code !== 'ERR_NOT_SIGNED_IN' && error.code !== 'ERR_OTHER_LOG_IN') return
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey: ['my', 'session'] })
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
