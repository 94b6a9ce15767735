import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './request.ts'

/** Codes after which the page must ask again who is signed in. */
const sessionCodes = new Set(['ERR_NOT_SIGNED_IN', 'ERR_OTHER_ACCOUNT'])

/** What the page knows of the service's data. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askForSession }),
  mutationCache: new MutationCache({ onError: askForSession }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
})

function askForSession(error: unknown): void {
  if (error instanceof ApiFailure && sessionCodes.has(error.code))
    void queryClient.invalidateQueries({ queryKey: ['session'] })
}
