import type { CreateServiceOptions } from '@service-link/service'
import {
  type ApiClient,
  type ClientProof,
  type EIdIssuerSettings,
  type EIdSettings,
  locationOf,
  type RunningService,
  startService,
  Visitor,
} from '@service-link/service/test-kit'
import type { ClientMetadata } from 'oidc-provider'
import { createEId, type EId } from '../../src/e-id/create-e-id.ts'
import { assuranceLevels, type TestPerson, testPersons } from '../../src/e-id/e-id-page.ts'

/** The persons of the log-ins: two with contacts in the tests, one unknown to every clinic, one with a too weak log-in. */
export const [aase, torbjorn, nora, per] = [
  'test-person-1',
  'test-person-2',
  'test-person-3',
  'test-person-4',
].map(wanted => {
  const person = testPersons.find(({ subject }) => subject === wanted)
  if (!person) throw new Error(`The test e-ID has no ${wanted}.`)
  return person
}) as [TestPerson, TestPerson, TestPerson, TestPerson]

/** A service whose consumers log in at a test e-ID. */
export interface RunningMy extends AsyncDisposable {
  readonly running: RunningService
  readonly eId: EId
  /** The service's use of the issuer, for a second service. */
  readonly settings: EIdSettings
}

/** Differences from the usual start. */
export interface StartMyOptions {
  readonly eId?: Partial<EIdIssuerSettings>
  /** How the service authenticates to the issuer. Default: the shared secret. */
  readonly proof?: ClientProof
  readonly client?: Partial<ClientMetadata>
  readonly service?: Partial<CreateServiceOptions>
  /** Claim with the identity number. */
  readonly issuedClaim?: string
  /** Who can log in. Default: the demo's test persons. */
  readonly persons?: readonly TestPerson[]
}

const clientId = 'my-workouts'
const clientSecret = 'a-secret-of-the-tests-alone-1234567890'

export async function startMy(options: StartMyOptions = {}): Promise<RunningMy> {
  await using resources = new AsyncDisposableStack()
  const eId = resources.use(
    await createEId({
      port: 0,
      ...(options.issuedClaim === undefined ? {} : { ssnClaim: options.issuedClaim }),
      ...(options.persons === undefined ? {} : { persons: options.persons }),
    }),
  )
  const settings: EIdSettings = {
    issuer: eId.url,
    clientId,
    ...(options.proof ?? { clientSecret }),
    scope: 'openid profile',
    acrValues: [assuranceLevels.substantial, assuranceLevels.high],
    ...options.eId,
  }
  const running = resources.use(await startService({ ...options.service, eId: settings }))
  const application = {
    url: `${running.service.url}/my`,
    name: { en: 'My workouts', nb: 'Mine treningsprogrammer' },
  }
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${application.url}/callback`],
    post_logout_redirect_uris: [application.url],
    ...options.client,
  }
  await eId.register(client, application)
  const owned = resources.move()
  return { running, eId, settings, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Begins a log-in and returns the service's redirect. */
export async function beginLogIn(visitor: Visitor, { running }: RunningMy): Promise<URL> {
  const answer = await visitor.go(`${running.service.url}/my/log-in`)
  if (answer.status !== 303) throw new Error(`The log-in was answered with ${answer.status}.`)
  return locationOf(answer)
}

/** Logs in at the issuer and returns its redirect back. */
export async function confirmAt(
  visitor: Visitor,
  authorization: URL,
  person: TestPerson | 'cancel',
): Promise<URL> {
  let answer = await visitor.go(authorization)
  const interaction = locationOf(answer)
  await visitor.go(interaction)
  const form = person === 'cancel' ? { answer: 'cancel' } : { answer: 'log-in', subject: person.subject }
  answer = await visitor.go(interaction, { method: 'POST', body: new URLSearchParams(form) })
  answer = await visitor.go(locationOf(answer))
  // The issuer has another session in this browser; its page ends that session and continues.
  if (answer.status === 200) answer = await visitor.go(locationOf(await submitForm(visitor, answer)))
  return locationOf(answer)
}

/** Submits a page's form with its hidden fields, as the page's script does. */
async function submitForm(visitor: Visitor, answer: Response): Promise<Response> {
  const page = await answer.text()
  const action = /<form [^>]*action="([^"]+)"/.exec(page)?.[1] ?? ''
  const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const body = new URLSearchParams(Array.from(fields, ([, name = '', value = '']) => [name, value]))
  return visitor.go(new URL(action, answer.url), { method: 'POST', body })
}

/** The whole log-in, up to the service's answer to the returning browser. */
export async function logInToMy(my: RunningMy, person: TestPerson, visitor = new Visitor()) {
  const callback = await confirmAt(visitor, await beginLogIn(visitor, my), person)
  const answer = await visitor.go(callback)
  return { visitor, callback, answer }
}

/** The code on a page of a failed log-in. */
export async function problemOf(answer: Response): Promise<{ status: number; code: string | undefined }> {
  return { status: answer.status, code: /data-code="(\w+)"/.exec(await answer.text())?.[1] }
}

/** Calls the consumer app's API. */
export async function askMy(
  visitor: Visitor,
  { running }: RunningMy,
  path: string,
  method = 'GET',
  sent?: object,
) {
  const { url } = running.service
  const headers = { origin: url, ...(sent && { 'content-type': 'application/json' }) }
  const init = method === 'GET' ? {} : { method, headers, ...(sent && { body: JSON.stringify(sent) }) }
  const answer = await visitor.go(`${url}/api/my${path}`, init)
  const body: Record<string, unknown> = await answer.json()
  return { status: answer.status, body }
}

/** Gives a person a workout of the library. */
export async function giveTo(
  employee: ApiClient,
  personId: number,
  library = 0,
  isAgain = false,
): Promise<{ id: number; name: string }> {
  const { workouts } = (await employee.ask('POST', '/api/workouts/search', {})).body
  if (!Array.isArray(workouts)) throw new TypeError('The service gave no workouts.')
  const given = await employee.ask('POST', `/api/workouts/${workouts[library].id}/give`, {
    personId,
    key: crypto.randomUUID(),
    isAgain,
  })
  if (!given.body.workout) throw new Error(`The gift was answered with ${given.status}.`)
  return given.body.workout as { id: number; name: string }
}
