import { renderBootPage } from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import { contentSecurityPolicy } from '../http/own-site.ts'
import { readIndexPage } from '../http/web-app.ts'

/** Address for the held visit of a page in a frame. */
const logInWindowPath = '/partner/log-in'

/** Largest form, in bytes: a visit with a partner's logo. */
const maxFormBytes = 128 * 1024

const text = z.string().max(4096)

/** A held visit, as the page in the frame got it. */
const visitSchema = z.object({
  kind: z.literal('log-in'),
  partner: z.object({
    id: text,
    name: text,
    appearance: z.object({
      displayName: text.exactOptional(),
      logoUrl: z.string().max(maxFormBytes).exactOptional(),
      color: text.exactOptional(),
      landingView: text.exactOptional(),
    }),
  }),
  employee: z.object({
    id: text,
    organizationId: text,
    organizationName: text.exactOptional(),
    username: text.exactOptional(),
    firstname: text.exactOptional(),
    lastname: text.exactOptional(),
    email: text.exactOptional(),
  }),
  sentFrom: text.exactOptional(),
  handle: z.string().max(256),
  expiresAtMs: z.number(),
})

const formSchema = z.object({ visit: z.string() })

/**
 * `POST /partner/log-in`: shows the log-in of a held visit in a window. The page in a frame sends the visit by a form. Only the
 * body holds the handle: an address stays in histories and logs. The page shows the form's values, so only the service's own
 * pages may send it.
 */
export function logInWindowRoutes(webAppFolder: string, publicUrl: string) {
  return new Hono<AppEnv>()
    .use(logInWindowPath, secureHeaders({ referrerPolicy: 'no-referrer', xFrameOptions: 'DENY' }))
    .use(logInWindowPath, ownFormsOnly)
    .use(logInWindowPath, bodyLimit({ maxSize: maxFormBytes }))
    .post(logInWindowPath, async c => {
      const form = formSchema.safeParse(await c.req.parseBody())
      const visit = visitSchema.safeParse(parseJson(form.data?.visit))
      if (!visit.success) throw new ApiError('ERR_ARGS', 'The request is not acceptable.')
      const requestId = crypto.randomUUID()
      const nonce = crypto.randomUUID()
      const html = renderBootPage(
        await readIndexPage(webAppFolder),
        { ...visit.data, requestId, isFramed: false },
        { nonce },
      )
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', contentSecurityPolicy(nonce))
      if (publicUrl.startsWith('https:')) c.header('strict-transport-security', 'max-age=31536000')
      return c.html(html)
    })
}

/** A page without referrer posts the origin `null`, also to its own server: `Sec-Fetch-Site` decides. */
const ownFormsOnly = createMiddleware(async (c, next) => {
  if (c.req.header('sec-fetch-site') !== 'same-origin' || c.req.header('sec-fetch-dest') !== 'document')
    throw new ApiError('ERR_ORIGIN', 'This address takes requests from the service’s own pages only.')
  await next()
})

function parseJson(value: string | undefined): unknown {
  try {
    return JSON.parse(value ?? 'null')
  } catch {
    return undefined
  }
}
