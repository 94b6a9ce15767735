import { serveStatic } from '@hono/node-server/serve-static'
import type { SigningKey } from '@service-link/jwt-payload'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { validator } from 'hono/validator'
import * as z from 'zod'
import { type LauncherFacts, type LaunchRequest, signParts } from './launch.ts'
import { type HourRegistrations, hourRegistrationSchema } from './registrations.ts'

interface PartnerRoutesOptions {
  /** Origin of the partner application. */
  readonly url: string
  /** Folder of the built pages. */
  readonly pages: string
  readonly facts: LauncherFacts
  readonly signingKey: SigningKey
  /** Signs the payload that opens a patient; `undefined` if there is no such patient or employee. */
  readonly signVisit: (visit: Visit) => Promise<string | undefined>
  readonly registrations: HourRegistrations | undefined
}

export type PartnerRoutes = ReturnType<typeof partnerRoutes>

const visitSchema = z.object({ patientId: z.string(), employeeId: z.string() })

export type Visit = z.output<typeof visitSchema>

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

/**
 * The journal at `/` and the launcher at `/launcher`, with what needs a server: the journal's key, calls to any service,
 * registrations.
 */
export function partnerRoutes(options: PartnerRoutesOptions) {
  const { url, pages, facts, signingKey, signVisit, registrations } = options
  /** Answers the own pages only, because the journal's key signs employees in. */
  const own = <Schema extends z.ZodType>(schema: Schema) =>
    validator('json', (value, c): z.output<Schema> | Response => {
      if (c.req.header('origin') !== url)
        return c.json({ problem: 'This is for the partner’s own pages.' }, 403)
      const asked = schema.safeParse(value)
      return asked.success ? asked.data : c.json({ problem: z.prettifyError(asked.error) }, 400)
    })
  return new Hono()
    .use('/', pagePolicy([new URL(facts.address).origin]))
    .use('/launcher', pagePolicy(['http:', 'https:']))
    .use(bodyLimit({ maxSize: maxBytes }))
    .get('/', serveStatic({ root: pages, path: 'index.html' }))
    .get('/launcher', serveStatic({ root: pages, path: 'launcher.html' }))
    .get('/assets/*', serveStatic({ root: pages, precompressed: true }))
    .get('/favicon.ico', c => c.body(null, 204))
    .post('/payload', own(visitSchema), async c => {
      const payload = await signVisit(c.req.valid('json'))
      if (payload === undefined) return c.json({ problem: 'There is no such patient or employee.' }, 404)
      c.header('cache-control', 'no-store')
      return c.json({ payload })
    })
    .get('/launcher/facts', c => c.json(facts))
    .post('/launcher/sign', own(partsSchema), async c =>
      c.json({ token: await signParts(c.req.valid('json'), signingKey) }),
    )
    .post('/launcher/call', own(requestSchema), async c => c.json(await call(c.req.valid('json'))))
    .post('/launcher/register', own(hourRegistrationSchema), async c => {
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
}

/** Headers of a page whose forms and frames lead to `targets` only. */
function pagePolicy(targets: string[]) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      // The component library writes its dynamic styles into style elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: targets,
      frameSrc: targets,
    },
  })
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
