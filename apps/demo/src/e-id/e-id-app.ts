import type { RequestListener } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type FetchHandler, fetchListener } from '@service-link/service'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import type { errors, Provider } from 'oidc-provider'
import { assuranceLevels, choosePersonPage, eIdPolicy, problemPage, type TestPerson } from './e-id-page.ts'
import { interactionPath, originsOf } from './provider-configuration.ts'

type Env = { Bindings: HttpBindings }

const ownHeaders = secureHeaders({
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
})

/** The issuer's own pages. The library answers all other addresses. */
export function createEIdApp(
  provider: Provider,
  persons: readonly TestPerson[],
  Refusal: typeof errors.OIDCProviderError,
  onLogIn?: (person: TestPerson) => void,
) {
  const app = new Hono<Env>()
    .use('/assets/*', ownHeaders)
    .use(`${interactionPath}/*`, ownHeaders)
    .use('/assets/*', serveStatic({ root: import.meta.dirname }))
    .get('/', ownHeaders, c => showProblem(c, 'test-e-id', 'Log in from an application.', 200))
    .get('/favicon.ico', c => c.body(null, 204))
    .get(`${interactionPath}/:uid`, async c => {
      const { uid, params } = await provider.interactionDetails(c.env.incoming, c.env.outgoing)
      const client = await provider.Client.find(String(params.client_id))
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', eIdPolicy(originsOf(params.redirect_uri)))
      const action = `${interactionPath}/${uid}`
      return c.html(
        choosePersonPage({ clientName: client?.clientName ?? 'the application', action, persons }),
      )
    })
    .post(`${interactionPath}/:uid`, bodyLimit({ maxSize: 4096 }), async c => {
      const form = await c.req.parseBody()
      const person = persons.find(({ subject }) => subject === form.subject)
      if (form.answer === 'log-in' && !person) return showProblem(c, 'invalid_request', 'Choose who you are.')
      if (person && form.answer === 'log-in') onLogIn?.(person)
      const result =
        person && form.answer === 'log-in'
          ? { login: { accountId: person.subject, acr: assuranceLevels[person.level], remember: false } }
          : { error: 'access_denied', error_description: 'The person canceled.' }
      return c.redirect(await provider.interactionResult(c.env.incoming, c.env.outgoing, result), 303)
    })
  app.onError((error, c) => {
    if (error instanceof Refusal) return showProblem(c, error.error, error.error_description)
    throw error
  })
  return app
}

async function showProblem(c: Context, code: string, description?: string, status: 200 | 400 = 400) {
  c.header('cache-control', 'no-store')
  c.header('content-security-policy', eIdPolicy())
  return c.html(await problemPage(code, description), status)
}

const libraryHeaders = [
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
] as const

const ownAddress = new RegExp(`^(/|/favicon\\.ico|/assets/.*|${interactionPath}/.*)(\\?.*)?$`)

export function eIdListener(provider: Provider, ownPages: FetchHandler): RequestListener {
  const answerOwn = fetchListener(ownPages)
  const answerByLibrary = provider.callback()
  return (request, response) => {
    if (ownAddress.test(request.url ?? '')) return answerOwn(request, response)
    for (const [name, value] of libraryHeaders) response.setHeader(name, value)
    return answerByLibrary(request, response)
  }
}
