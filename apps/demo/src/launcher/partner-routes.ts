import type { SigningKey } from '@service-link/jwt-payload'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { validator } from 'hono/validator'
import * as z from 'zod'
import { ownPages } from '../own-pages/own-pages.ts'
import type { PageKeys } from '../own-pages/page-keys.ts'
import { type LauncherFacts, signParts } from './launch.ts'
import { type Registrations, registrationSchema } from './registrations.ts'
import type { ServiceAnswers } from './service-answers.ts'

interface PartnerRoutesOptions {
  readonly keys: PageKeys
  /** Folder of the built pages. */
  readonly pages: string
  readonly facts: LauncherFacts
  readonly signingKey: SigningKey
  /** Signs the payload that opens a patient; `undefined` if there is no such patient or employee. */
  readonly signVisit: (visit: Visit) => Promise<string | undefined>
  readonly registrations: Registrations
  readonly answers?: ServiceAnswers | undefined
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
 * The journal at `/` and the launcher at `/launcher`, with what needs a server: the journal's key, which signs employees
 * in, calls to any service, registrations.
 */
export function partnerRoutes(options: PartnerRoutesOptions) {
  const { keys, facts, signingKey, signVisit, registrations, answers } = options
  const asked = <Schema extends z.ZodType>(schema: Schema) =>
    validator('json', (value, c): z.output<Schema> | Response => {
      const { success, data, error } = schema.safeParse(value)
      return success ? data : c.json({ problem: z.prettifyError(error) }, 400)
    })
  const pages = { '/': [new URL(facts.address).origin], '/launcher': ['http:', 'https:'] }
  return new Hono()
    .route('/', ownPages({ folder: options.pages, pages, keys }))
    .use(bodyLimit({ maxSize: maxBytes }))
    .post('/payload', asked(visitSchema), async c => {
      const payload = await signVisit(c.req.valid('json'))
      if (payload === undefined) return c.json({ problem: 'There is no such patient or employee.' }, 404)
      c.header('cache-control', 'no-store')
      return c.json({ payload })
    })
    .get('/launcher/facts', c => c.json(facts))
    .get('/launcher/answers/:launch', async c => c.json({ answer: await answers?.to(c.req.param('launch')) }))
    .post('/launcher/sign', asked(partsSchema), async c =>
      c.json({ token: await signParts(c.req.valid('json'), signingKey) }),
    )
    .post('/launcher/call', asked(requestSchema), async c => c.json(await call(c.req.valid('json'))))
    .post('/launcher/register', asked(registrationSchema), async c => {
      try {
        const registered = await registrations.add(c.req.valid('json'))
        return c.json({ ...registered, audience: facts.address })
      } catch (error) {
        // Another error may repeat a part of the key.
        const problem = error instanceof ServiceLinkError ? error.message : 'This is no key that can be read.'
        return c.json({ problem }, 422)
      }
    })
}

export type Exchange = Awaited<ReturnType<typeof call>>

type CallRequest = z.output<typeof requestSchema>

/** Calls a service as a partner's server does. Redirects are shown, not followed: a token is for one address. */
async function call({ url, method, headers, body }: CallRequest) {
  const begin = performance.now()
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: [...answer.headers],
      body: text.length > maxBytes ? `${text.slice(0, maxBytes)}\n… cut` : text,
      ms: Math.round(performance.now() - begin),
    }
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    return {
      problem: isLate ? `No answer within ${callTimeoutMs / 1000} s.` : 'The address cannot be reached.',
    }
  }
}
