import { presentLanguage } from '@service-link/ui/page-language'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { answerOf, api, createQueryClient } from '../web/api/request.ts'

const { my } = api

export type MySession = InferResponseType<typeof my.session.$get>

export type MyWorkoutReply = InferResponseType<(typeof my.workouts)[':id']['$get']>['workout']

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

export const myWorkoutsQuery = (logInId: string) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workouts', presentLanguage()],
    queryFn: () => answerOf(my.workouts.$get({}, as(logInId))),
    select: ({ workouts }) => workouts,
  })

export const myWorkoutQuery = (logInId: string, id: number) =>
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

/** Says that a workout was done on a day of this device, or takes it back. */
export async function saveDone(logInId: string, id: number, json: { day: string; isDone: boolean }) {
  await answerOf(my.workouts[':id'].done.$put({ param: { id: String(id) }, json }, as(logInId)))
  await myQueryClient.invalidateQueries({ queryKey: ['my', 'data', logInId] })
}
