import type { Person } from '@service-link/protocol-core'
import type { Api, DemoAccount } from '@service-link/service'
import { Visitor } from '@service-link/service/testing'
import { type HostCallCode, HostCallError } from '@service-link/wrapper-host/page'
import {
  startTestWrapper,
  type TestWrapper,
  type TestWrapperOptions,
} from '@service-link/wrapper-host/testing'
import { hc } from 'hono/client'
import * as z from 'zod'

interface MemoryWindowOptions extends Pick<TestWrapperOptions, 'argv' | 'folders'> {
  readonly serviceUrl: string
  /** Who logs in when a first visit asks for it. */
  readonly employee: DemoAccount
}

/** What the service's page learns of a visit, as far as a page in memory needs it. */
const visitSchema = z.object({
  kind: z.enum(['signed-in', 'log-in']),
  handle: z.string().optional(),
  contact: z.object({ contactId: z.string().optional() }).optional(),
})

/** An employee's browser at the service, without a page. */
export function visitService(serviceUrl: string, { email, password }: DemoAccount) {
  const visitor = new Visitor()
  const send: typeof fetch = (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', serviceUrl)
    return visitor.go(String(address), { ...init, headers })
  }
  const logIn = async () => {
    const json = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json' }
    const answer = await send(`${serviceUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body: json })
    if (!answer.ok) throw new Error(`The log-in was answered with ${answer.status}.`)
  }
  return { visitor, api: hc<Api>(`${serviceUrl}/api`, { fetch: send }), logIn }
}

/**
 * A wrapper whose page is in memory, for a machine without a browser. Hand-off, pipe, providers and settings are real, and
 * so is the service: the page asks it by HTTP, with the cookies of its own session.
 */
export async function startMemoryWindow(options: MemoryWindowOptions) {
  const { serviceUrl, employee, ...given } = options
  const { visitor, api, logIn } = visitService(serviceUrl, employee)
  const toPerson = async (id: string): Promise<Person> => {
    const { person } = await answerOf(api.persons[':id'].$get({ param: { id } }))
    const { userId, customId, firstname, lastname } = person
    return {
      userId,
      ...(customId && { customId }),
      ...(firstname && { firstname }),
      ...(lastname && { lastname }),
    }
  }
  const show = async () => undefined
  const personInFocus = (): Person | undefined =>
    wrapper.pageEvents.findLast(event => event.type === 'personSelected')?.person

  const wrapper: TestWrapper = await startTestWrapper({
    isSignedIn: false,
    ...given,
    webApp: {
      async selectPerson(sent) {
        const { status, person } = await answerOf(api.persons.select.$post({ json: sent }))
        return { status, userId: person.userId, customId: person.customId ?? '' }
      },
      async getListOfUsers({ customId }) {
        const { users } = await answerOf(api.persons.all.$post({ json: { customId } }))
        return users
      },
      async setCustomId({ userId, customId }) {
        const param = { id: String(userId) }
        await answerOf(api.persons[':id']['custom-id'].$put({ param, json: { customId } }))
        const focused = personInFocus()
        if (focused?.userId === userId) wrapper.selectInPage({ ...focused, customId })
      },
      async getWorkoutsForClient(query) {
        const { workouts } = await answerOf(api.workouts['for-person'].$post({ json: query }))
        return workouts
      },
      openWorkout: ({ id }) => answerOf(api.workouts[':id'].$get({ param: { id: String(id) } })),
      queryExercises: show,
      queryWorkouts: show,
    },
    async answerPost({ url, form }) {
      const answer = await visitor.go(url, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams(form),
      })
      if (!answer.ok) return answer.status
      const visit = await readVisit(answer)
      let id = visit.contact?.contactId
      if (visit.kind === 'log-in' && visit.handle !== undefined) {
        await logIn()
        const json = { handle: visit.handle, confirmed: true } as const
        const { contact } = await answerOf(api['partner-visits'].$post({ json }))
        id = 'contactId' in contact ? contact.contactId : undefined
      }
      const person = id === undefined ? undefined : await toPerson(id)
      // The page is loaded after this answer.
      if (person) setImmediate(() => wrapper.selectInPage(person))
      return answer.status
    },
  })
  const close = () => wrapper.close()
  return {
    wrapper,
    api,
    personInFocus,
    /** Logs in as the user of the page does. */
    async logIn() {
      await logIn()
      wrapper.signIn()
    },
    [Symbol.asyncDispose]: close,
  }
}

/** What the service tells the page that answers a post. */
export async function readVisit(answer: Response) {
  const [, json = 'null'] = /id="service-link-boot">([^<]*)</.exec(await answer.text()) ?? []
  return visitSchema.parse(JSON.parse(json))
}

interface Answered<Answer> extends Pick<Response, 'ok' | 'status' | 'text'> {
  json(): Promise<Answer>
}

const problemSchema = z.object({ title: z.string() })

/** Reads an answer of the service; a refusal becomes one for the wrapper. */
export async function answerOf<Answer>(asked: Promise<Answered<Answer>>): Promise<Answer> {
  const answer = await asked
  if (answer.ok) return answer.json()
  const { data } = problemSchema.safeParse(JSON.parse(await answer.text()))
  const code = refusals.get(answer.status) ?? 'ERR_WEB_APP'
  throw new HostCallError(code, data?.title ?? `The service answered with ${answer.status}.`)
}

const refusals = new Map<number, HostCallCode>([
  [401, 'ERR_NOT_SIGNED_IN'],
  [404, 'ERR_NOT_FOUND'],
  [409, 'ERR_ARGS'],
  [422, 'ERR_ARGS'],
])
