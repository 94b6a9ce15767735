import * as z from 'zod/mini'
import type { DevToolsConnection, PageTarget } from '../devtools/devtools-connection.ts'
import type { JsonValue } from '../engine.ts'
import { EngineError } from '../engine-error.ts'

/** Longest wait for the browser to remove all data, in milliseconds. Its caches may be large. */
const clearMs = 60_000
/** Longest wait for the page to clear the window's name, in milliseconds. A page that hangs never does. */
const nameMs = 2000

/**
 * Removes the data of all pages from the profile: cookies, storage of all kinds, service workers and caches. Clears the window's
 * name too, which pages of one site share. The present document keeps its memory; load it again.
 */
export async function clearSession(page: PageTarget): Promise<void> {
  const bounds = { timeoutMs: clearMs }
  await Promise.all([
    forgetName(page),
    page.call('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }, bounds),
    page.connection.call('Storage.clearCookies', {}, bounds),
    page.call('Network.clearBrowserCache', {}, bounds),
  ])
}

/** Clears the window's name, unless the page hangs. Never rejects. */
export async function forgetName(page: PageTarget): Promise<void> {
  const expression = `globalThis.name = ''`
  await page.call('Runtime.evaluate', { expression }, { timeoutMs: nameMs }).catch(() => undefined)
}

// The members of getCookies that setCookies takes.
const cookiesSchema = z.array(
  z.object({
    name: z.string(),
    value: z.string(),
    domain: z.string(),
    path: z.string(),
    secure: z.boolean(),
    httpOnly: z.boolean(),
    sameSite: z.optional(z.enum(['Strict', 'Lax', 'None'])),
    priority: z.optional(z.enum(['Low', 'Medium', 'High'])),
    sourceScheme: z.optional(z.enum(['Unset', 'NonSecure', 'Secure'])),
    sourcePort: z.optional(z.int()),
    /** Seconds since 1970; -1 for a cookie of the session. */
    expires: z.number(),
  }),
)

/** Reads all cookies of the browser. */
export async function saveCookies(connection: DevToolsConnection): Promise<JsonValue> {
  const { cookies } = await connection.call('Storage.getCookies')
  return z.json().parse(cookiesSchema.parse(cookies))
}

/** Sets the cookies of {@link saveCookies}. */
export async function restoreCookies(connection: DevToolsConnection, data: JsonValue): Promise<void> {
  const parsed = cookiesSchema.safeParse(data)
  if (!parsed.success) throw new EngineError('not-available', 'The saved session is damaged.')
  const cookies = parsed.data.map(({ expires, ...cookie }) => (expires < 0 ? cookie : { ...cookie, expires }))
  await connection.call('Storage.setCookies', { cookies: z.json().parse(cookies) as JsonValue })
}
