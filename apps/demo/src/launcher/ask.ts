import { keyedFetch } from '@service-link/ui/page-key'
import { DetailedError, hc, type InferResponseType } from 'hono/client'
import { t } from './page/texts.ts'
import type { PartnerRoutes } from './partner-routes.ts'

/** The partner application's server. Read its answers with `parseResponse`. */
export const ask = hc<PartnerRoutes>('/', { fetch: keyedFetch })

/** What a partner needs to know of a registered key. */
export type Registered = InferResponseType<typeof ask.launcher.register.$post, 200>

/** The sentence of a failure: the server's, or that of a key that cannot be used. */
export function sentenceOf(error: unknown): string {
  if (error instanceof DetailedError) return String(error.detail?.data?.problem ?? t('problems.refused'))
  if (error instanceof SyntaxError) return t('problems.noJson')
  return error instanceof Error ? error.message : t('problems.failed')
}
