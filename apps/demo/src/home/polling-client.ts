import { QueryClient } from '@tanstack/react-query'

/** Asks the demo's server again and again while the page is in view. An `EventSource` could not send the page's key. */
export const pollingClient = new QueryClient({
  defaultOptions: {
    queries: { refetchInterval: 500, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
