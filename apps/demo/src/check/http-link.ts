import { locationOf, Visitor } from '@service-link/service/testing'
import * as z from 'zod'
import { answerOf, readVisit, visitService } from '../demo/memory-window.ts'
import type { DemoServers } from '../demo/start-servers.ts'
import { testPersons } from '../e-id/e-id-page.ts'
import { employees, patients } from '../journal/patients.ts'
import type { LinkStage } from './browser-link.ts'

const workoutsSchema = z.object({ workouts: z.array(z.looseObject({ name: z.string() })) })

/** The link without a browser, by the requests that one would send. */
export function startHttpLink({ service, partner, employee }: DemoServers): LinkStage {
  const { visitor, api, logIn } = visitService(service.url, employee)
  const my = new Visitor()
  let body = new URLSearchParams()
  let handle = ''
  let personId = 0
  let asked = ''
  return {
    patients: async () => patients.map(({ id }) => id ?? ''),
    async visit(patientId) {
      const visit = { patientId, employeeId: employees[0]?.employeeId ?? '' }
      body = new URLSearchParams({ payload: (await partner.signVisit(visit)) ?? '' })
      const init = { method: 'POST', headers: { accept: 'text/html' }, body }
      const shown = await readVisit(await visitor.go(`${service.url}/partner/payload`, init))
      handle = shown.handle ?? ''
      personId = Number(shown.contact?.contactId)
      return shown.kind === 'log-in' ? 'log-in' : 'in-focus'
    },
    async confirm() {
      await logIn()
      const { contact } = await answerOf(api['partner-visits'].$post({ json: { handle, confirmed: true } }))
      personId = 'contactId' in contact ? Number(contact.contactId) : 0
    },
    async personInFocus() {
      const { person } = await answerOf(api.persons[':id'].$get({ param: { id: String(personId) } }))
      return person.customId ?? null
    },
    lastPost: () => body.toString(),
    async giveWorkout() {
      const [first] = (await answerOf(api.workouts.$get({ query: {} }))).workouts
      if (!first) throw new Error('the library is empty')
      const json = { personId, key: crypto.randomUUID() }
      await answerOf(api.workouts[':id'].give.$post({ param: { id: String(first.id) }, json }))
      return first.name
    },
    async askForMyWorkouts() {
      const answer = await follow(my, await my.go(`${service.url}/my/log-in`))
      asked = answer.url
      return asked
    },
    async logInAtEId(identityNumber) {
      const subject = testPersons.find(({ ssn }) => ssn === identityNumber)?.subject ?? ''
      const form = new URLSearchParams({ answer: 'log-in', subject })
      await follow(my, await my.go(asked, { method: 'POST', body: form }))
      const answer = await my.go(`${service.url}/api/my/workouts`)
      return workoutsSchema.parse(await answer.json()).workouts.map(({ name }) => name)
    },
    async logOutOfMyWorkouts() {
      const headers = { origin: service.url, 'content-type': 'application/json' }
      await my.go(`${service.url}/api/my/sign-out`, { method: 'POST', headers, body: '{}' })
      return (await my.go(`${service.url}/api/my/workouts`)).status
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

async function follow(visitor: Visitor, first: Response): Promise<Response> {
  let answer = first
  while (answer.status === 302 || answer.status === 303) answer = await visitor.go(locationOf(answer))
  return answer
}
