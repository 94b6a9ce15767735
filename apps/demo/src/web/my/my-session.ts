import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { answerOf, api, createQueryClient } from '../api/request.ts'
import { tabKeep } from '../parts/storage.ts'

const { my } = api

type MySession = InferResponseType<typeof my.session.$get>

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

const loggedInKey = 'my-logged-in'

export const rememberLogIn = () => tabKeep.write(loggedInKey, '1')

export const forgetLogIn = () => tabKeep.write(loggedInKey, undefined)

/** Whether a session in this tab has ended without a log-out. */
export const wasLoggedIn = () => tabKeep.read(loggedInKey) !== undefined
