import * as z from 'zod/mini'
import type { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { JsonValue } from '../engine.ts'
import { EngineError } from '../engine-error.ts'

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
