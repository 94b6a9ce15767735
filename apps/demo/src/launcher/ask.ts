import { keyedFetch } from '@service-link/ui/page-key'
import { hc, type InferResponseType } from 'hono/client'
import type { PartnerRoutes } from './partner-routes.ts'

/** The partner application's server. Read its answers with `parseResponse`. */
export const ask = hc<PartnerRoutes>('/', { fetch: keyedFetch })

/** What a partner needs to know of a registered key. */
export type Registered = InferResponseType<typeof ask.launcher.register.$post, 200>
