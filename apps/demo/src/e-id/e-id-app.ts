import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { errors, Provider } from 'oidc-provider'
import { type Application, assuranceLevels, eIdPages, eIdPolicy, type TestPerson } from './e-id-page.ts'
import { interactionPath } from './provider-configuration.ts'

type Env = { Bindings: HttpBindings }

const headers = [
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
] as const

/** The issuer: own pages, and the library at all other addresses. */
export function createEIdApp(
  provider: Provider,
  persons: readonly TestPerson[],
  application: Application,
  Refusal: typeof errors.OIDCProviderError,
) {
  const pages = (c: Context) => eIdPages(c.req.header('accept-language'), application)
  const app = new Hono<Env>()
    .use((c, next) => {
      for (const [name, value] of headers) c.env.outgoing.setHeader(name, value)
      return next()
    })
    .get('/', c => show(c, pages(c).start(persons)))
    .get('/favicon.ico', c => c.body(null, 204))
    .get(`${interactionPath}/:uid`, async c => {
      const { uid } = await provider.interactionDetails(c.env.incoming, c.env.outgoing)
      return show(c, pages(c).choosePerson(`${interactionPath}/${uid}`, persons))
    })
    .post(`${interactionPath}/:uid`, bodyLimit({ maxSize: 4096 }), async c => {
      const form = await c.req.parseBody()
      const person = persons.find(({ subject }) => subject === form.subject)
      if (form.answer === 'log-in' && !person) return show(c, pages(c).problem('nobody_chosen'), 400)
      const result =
        person && form.answer === 'log-in'
          ? { login: { accountId: person.subject, acr: assuranceLevels[person.level], remember: false } }
          : { error: 'access_denied', error_description: 'The person canceled.' }
      return c.redirect(await provider.interactionResult(c.env.incoming, c.env.outgoing, result), 303)
    })
  // Where the adapter's own Response is the global one already, only one whose body was asked for is not written again.
  void RESPONSE_ALREADY_SENT.body
  const answerByLibrary = provider.callback()
  app.all('*', async c => {
    await answerByLibrary(c.env.incoming, c.env.outgoing)
    return RESPONSE_ALREADY_SENT
  })
  app.onError((error, c) => {
    if (error instanceof Refusal) return show(c, pages(c).problem(error.error, error.error_description), 400)
    throw error
  })
  return app
}

async function show(
  c: Context,
  page: ReturnType<ReturnType<typeof eIdPages>['start']>,
  status: 200 | 400 = 200,
) {
  c.header('cache-control', 'no-store')
  c.header('content-security-policy', eIdPolicy)
  return c.html(await page, status)
}
