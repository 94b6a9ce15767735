import { z } from 'zod'
import type { DevToolsConnection, PageTarget } from '../devtools/devtools-connection.ts'
import type { JsonValue } from '../engine.ts'
import { EngineError } from '../engine-error.ts'

/** Longest wait for the browser to have forgotten everything, in milliseconds: its caches may be large. */
const clearMs = 60_000
/** Longest wait for the page to let go of the window's name, in milliseconds: one that hangs never does. */
const nameMs = 2000

/**
 * Forgets what pages of any site have left in the profile: cookies, storage of all kinds, service workers and caches. The
 * document that is shown stays, with what it has in memory; load it again. The window's name, which pages of one site hand on to
 * each other, goes too.
 *
 * @throws {DevToolsCallError} when the browser refuses
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

/** Takes the window's name away, unless the page hangs. Never rejects. */
export async function forgetName(page: PageTarget): Promise<void> {
  const expression = `globalThis.name = ''`
  await page.call('Runtime.evaluate', { expression }, { timeoutMs: nameMs }).catch(() => undefined)
}

// Of what getCookies tells, the members that setCookies takes.
const cookiesSchema = z.array(
  z.object({
    name: z.string(),
    value: z.string(),
    domain: z.string(),
    path: z.string(),
    secure: z.boolean(),
    httpOnly: z.boolean(),
    sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
    priority: z.enum(['Low', 'Medium', 'High']).optional(),
    sourceScheme: z.enum(['Unset', 'NonSecure', 'Secure']).optional(),
    sourcePort: z.int().optional(),
    /** Seconds since 1970; -1 for a cookie of the session. */
    expires: z.number(),
  }),
)

/** Takes every cookie of the browser. */
export async function saveCookies(connection: DevToolsConnection): Promise<JsonValue> {
  const { cookies } = await connection.call('Storage.getCookies')
  return z.json().parse(cookiesSchema.parse(cookies))
}

/**
 * Gives the browser the cookies that {@link saveCookies} took.
 *
 * @throws {EngineError} when the data is not what was saved
 */
export async function restoreCookies(connection: DevToolsConnection, data: JsonValue): Promise<void> {
  const parsed = cookiesSchema.safeParse(data)
  if (!parsed.success) throw new EngineError('not-available', 'The saved session is damaged.')
  const cookies = parsed.data.map(({ expires, ...cookie }) => (expires < 0 ? cookie : { ...cookie, expires }))
  await connection.call('Storage.setCookies', { cookies: z.json().parse(cookies) as JsonValue })
}
