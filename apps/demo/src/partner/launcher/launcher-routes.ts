import { serveStatic } from '@hono/node-server/serve-static'
import type { SigningKey } from '@service-link/jwt-payload'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { validator } from 'hono/validator'
import * as z from 'zod'
import { buildPages } from '../../build/build-pages.ts'
import { type LauncherFacts, type LaunchRequest, signParts } from './launch.ts'
import { type HourRegistrations, hourRegistrationSchema } from './registrations.ts'

interface LauncherOptions {
  /** Origin of the partner application. */
  readonly url: string
  readonly facts: LauncherFacts
  readonly signingKey: SigningKey
  readonly registrations: HourRegistrations | undefined
}

export type LauncherRoutes = ReturnType<typeof launcherRoutes>

const partsSchema = z.object({
  header: z.record(z.string(), z.unknown()),
  claims: z.record(z.string(), z.unknown()),
})

const httpUrl = z.url({ protocol: /^https?$/, hostname: /./ })

const requestSchema = z.object({
  url: httpUrl,
  method: z.enum(['POST', 'GET']),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

/** Largest request and answer, in bytes. */
const maxBytes = 256 * 1024

const callTimeoutMs = 10_000

/** The launcher's page and the parts of it that need a server: the journal's key, calls to any service, registrations. */
export function launcherRoutes({ url, facts, signingKey, registrations }: LauncherOptions) {
  let built: Promise<string> | undefined
  const root = () => (built ??= buildPages('launcher'))
  /** Answers the launcher's own page only, because the journal's key signs employees in. */
  const own = <Schema extends z.ZodType>(schema: Schema) =>
    validator('json', (value, c): z.output<Schema> | Response => {
      if (c.req.header('origin') !== url)
        return c.json({ problem: 'This is for the launcher’s own page.' }, 403)
      const asked = schema.safeParse(value)
      return asked.success ? asked.data : c.json({ problem: z.prettifyError(asked.error) }, 400)
    })
  return new Hono()
    .use(
      secureHeaders({
        referrerPolicy: 'no-referrer',
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          // The component library writes its dynamic styles into style elements.
          styleSrc: ["'self'", "'unsafe-inline'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
          // Posts to any service whose address is given.
          formAction: ['http:', 'https:'],
          frameSrc: ['http:', 'https:'],
        },
      }),
    )
    .use(bodyLimit({ maxSize: maxBytes }))
    .get('/facts', c => c.json(facts))
    .post('/sign', own(partsSchema), async c =>
      c.json({ token: await signParts(c.req.valid('json'), signingKey) }),
    )
    .post('/call', own(requestSchema), async c => c.json(await call(c.req.valid('json'))))
    .post('/register', own(hourRegistrationSchema), async c => {
      if (!registrations) return c.json({ problem: 'This service takes no registration from here.' }, 409)
      try {
        const registered = await registrations.add(c.req.valid('json'))
        return c.json({ ...registered, audience: facts.address })
      } catch (error) {
        // Another error may repeat a part of the key.
        const isOurs = error instanceof ServiceLinkError
        return c.json({ problem: isOurs ? error.message : 'This is no key that can be read.' }, 422)
      }
    })
    .get('/assets/*', async (c, next) =>
      serveStatic({ root: await root(), rewriteRequestPath: path => path.replace(/^\/launcher/, '') })(
        c,
        next,
      ),
    )
    .get('/', async (c, next) => serveStatic({ root: await root(), path: 'index.html' })(c, next))
}

export type Exchange = Awaited<ReturnType<typeof call>>

/** Calls a service as a partner's server does. Redirects are shown, not followed: a token is for one address. */
async function call({ url, method, headers, body }: LaunchRequest) {
  const begin = performance.now()
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    const text = await readText(answer)
    return {
      status: answer.status,
      headers: [...answer.headers],
      body: text,
      ms: Math.round(performance.now() - begin),
    }
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    return {
      problem: isLate ? `No answer within ${callTimeoutMs / 1000} s.` : 'The address cannot be reached.',
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxBytes) return `${text.slice(0, maxBytes)}\n… cut`
  }
  return text
}
