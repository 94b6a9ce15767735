import { signPayload } from '@service-link/jwt-payload'
import { locationOf, Visitor } from '@service-link/service/testing'
import * as z from 'zod'
import { answerOf, readVisit, visitService } from '../demo/memory-window.ts'
import type { DemoServers } from '../demo/start-servers.ts'
import { testPersons } from '../e-id/e-id-page.ts'
import { clinic, employees, patients } from '../journal/patients.ts'
import { expectEqual, type Story } from './story.ts'

const problemSchema = z.object({ code: z.string() })
const workoutsSchema = z.object({ workouts: z.array(z.looseObject({ name: z.string() })) })

/** Shows the partner link and the consumer app without a browser, by the requests that one would send. */
export async function tellHttpStory(story: Story, servers: DemoServers): Promise<void> {
  const { service, partner, employee } = servers
  const { visitor, api, logIn } = visitService(service.url, employee)
  const post = (payload: string, accept = 'text/html') =>
    visitor.go(`${service.url}/partner/payload`, {
      method: 'POST',
      headers: { accept },
      body: new URLSearchParams({ payload }),
    })
  const sign = async (patient: number) => {
    const visit = { patientId: patients[patient]?.id ?? '', employeeId: employees[0]?.employeeId ?? '' }
    return (await partner.signVisit(visit)) ?? ''
  }
  let lastPayload = ''
  let personId = 0

  await story.chapter('Partner link, by HTTP', async () => {
    await story.step(
      '[1-first-visit] the first visit asks for a log-in, and to confirm the link',
      async () => {
        const { kind, handle } = await readVisit(await post(await sign(0)))
        expectEqual('outcome', kind, 'log-in')
        await logIn()
        const json = { handle: handle ?? '', confirmed: true } as const
        const { contact } = await answerOf(api['partner-visits'].$post({ json }))
        personId = 'contactId' in contact ? Number(contact.contactId) : 0
      },
    )

    await story.step(
      '[1-first-visit] the second contact comes without a prompt, with a session',
      async () => {
        lastPayload = await sign(1)
        const { kind, contact } = await readVisit(await post(lastPayload))
        expectEqual('outcome', kind, 'signed-in')
        const answer = await visitor.go(`${service.url}/api/persons/${contact?.contactId}`)
        expectEqual('status of the person', answer.status, 200)
      },
    )

    await story.step('a partner’s program gets an address that opens once', async () => {
      const answer = await post(await sign(0), 'application/json')
      const { url } = z.object({ url: z.string() }).parse(await answer.json())
      expectEqual('status of the first visit', (await visitor.go(url)).status, 200)
      expectEqual('status of the second', (await visitor.go(url)).status, 410)
    })

    await story.step('[5.1-signed] each refusal has its status and its code', async () => {
      const good = await sign(0)
      const { signing, issuer } = servers.partnerKey
      const claims = { ...clinic, ...employees[0], employeeId: 'e-1001', contact: { id: '1' } }
      const audience = `${service.url}/partner/payload`
      const signAs = (options: object) => signPayload(claims, signing, { audience, issuer, ...options })
      const hourAgo = () => new Date(Date.now() - 3_600_000)
      for (const [payload, status, code] of [
        ['no-token', 400, 'ERR_PAYLOAD_MALFORMED'],
        [`${good.slice(0, -8)}AAAAAAAA`, 401, 'ERR_PAYLOAD_SIGNATURE'],
        [await signAs({ audience: 'https://other.example/' }), 401, 'ERR_PAYLOAD_AUDIENCE'],
        [await signAs({ clock: hourAgo }), 401, 'ERR_PAYLOAD_EXPIRED'],
        [lastPayload, 401, 'ERR_PAYLOAD_REPLAYED'],
      ] as const) {
        const answer = await post(payload, 'application/problem+json')
        const refused = { status: answer.status, code: problemSchema.parse(await answer.json()).code }
        expectEqual('refusal', refused, { status, code })
        story.seen(`${status} ${code}`)
      }
    })
  })

  await story.chapter('Consumer app, by HTTP', async () => {
    const given = await story.step('the employee gives the patient a workout', async () => {
      const [first] = (await answerOf(api.workouts.$get({ query: {} }))).workouts
      if (!first) throw new Error('the library is empty')
      const json = { personId, key: crypto.randomUUID() }
      await answerOf(api.workouts[':id'].give.$post({ param: { id: String(first.id) }, json }))
      return first.name
    })

    await story.step('[5.1-consumer] a log-in at the e-ID, and exactly two workouts are there', async () => {
      const own = new Visitor()
      await logInAtEId(own, `${service.url}/my/log-in`, testPersons[0]?.subject ?? '')
      const answer = await own.go(`${service.url}/api/my/workouts`)
      const { workouts } = workoutsSchema.parse(await answer.json())
      expectEqual(
        'workouts',
        workouts.map(({ name }) => name),
        [given, 'Knee: building strength'],
      )
      await own.go(`${service.url}/api/my/sign-out`, {
        method: 'POST',
        headers: { origin: service.url, 'content-type': 'application/json' },
        body: '{}',
      })
      expectEqual('status after the log-out', (await own.go(answer.url)).status, 401)
    })
  })
}

/** Follows the redirects to the e-ID, chooses a person there, and follows those back. */
async function logInAtEId(visitor: Visitor, url: string, subject: string): Promise<void> {
  let answer = await visitor.go(url)
  let chosen = false
  while (answer.status === 303 || answer.status === 302 || !chosen) {
    if (answer.status === 200) {
      chosen = true
      const body = new URLSearchParams({ answer: 'log-in', subject })
      answer = await visitor.go(answer.url, { method: 'POST', body })
    } else answer = await visitor.go(locationOf(answer))
  }
  expectEqual('status after the log-in', answer.status, 200)
}
