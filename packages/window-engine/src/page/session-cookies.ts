import { z } from 'zod'
import type { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { JsonValue } from '../engine.ts'
import { EngineError } from '../engine-error.ts'

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
