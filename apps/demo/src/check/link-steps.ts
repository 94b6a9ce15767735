import * as z from 'zod'
import type { DemoServers } from '../demo/start-servers.ts'
import type { LinkStage } from './browser-link.ts'
import { expectEqual, type Story } from './story.ts'

const problemSchema = z.object({ code: z.string() })

/** Opens patients from the journal: the first one with a log-in, the second without. Then replays a payload. */
export async function tellLink(story: Story, stage: LinkStage, { service }: DemoServers): Promise<void> {
  const [first, second] = await story.step('the partner application lists its patients', async () => {
    const [one, two] = await stage.patients()
    if (!one || !two) throw new Error('there are not two')
    return [one, two] as const
  })
  await story.step(
    '[1-first-visit] the button opens a new tab, and the first visit asks for a log-in',
    async () => expectEqual('shown', await stage.visit(first), 'log-in'),
  )
  await story.step(
    '[4.1-page] after the log-in and the confirmation of the link the web app shows the contact in focus',
    async () => {
      await stage.confirm()
      expectEqual('in focus', await stage.personInFocus(), first)
    },
  )
  await story.step('[1-first-visit] the second contact is in focus without a prompt', async () => {
    expectEqual('shown', await stage.visit(second), 'in-focus')
    expectEqual('in focus', await stage.personInFocus(), second)
  })
  if (stage.reload)
    await story.step('a reload of that tab shows the same contact, by a GET', async () => {
      expectEqual('method', await stage.reload?.(), 'GET')
      expectEqual('in focus', await stage.personInFocus(), second)
    })
  await story.step('[5.1-signed] a replayed payload is refused with ERR_PAYLOAD_REPLAYED', async () => {
    const answer = await fetch(`${service.url}/partner/payload`, {
      method: 'POST',
      headers: { accept: 'application/problem+json' },
      body: new URLSearchParams(stage.lastPost()),
      signal: AbortSignal.timeout(30_000),
    })
    const { code } = problemSchema.parse(await answer.json())
    expectEqual('refusal', [answer.status, code], [401, 'ERR_PAYLOAD_REPLAYED'])
  })
}

/** An employee gives the patient in focus a workout; the patient logs in through the e-ID, sees it, and logs out. */
export async function tellMy(story: Story, stage: LinkStage, { eId }: DemoServers): Promise<void> {
  const workout = await story.step('the employee gives the patient in focus a workout', () =>
    stage.giveWorkout(),
  )
  await story.step('“my workouts” sends the patient to the national e-ID, on a site of its own', async () =>
    expectEqual('origin', new URL(await stage.askForMyWorkouts()).origin, eId.url),
  )
  await story.step(
    '[5.1-consumer] the identity number finds the patient: exactly that workout is shown',
    async () => {
      const patient = (await stage.personInFocus()) ?? ''
      expectEqual('workouts', await stage.logInAtEId(patient), [workout])
    },
  )
  await story.step('after the log-out, here and at the e-ID, nothing of the patient is left', async () =>
    expectEqual('status', await stage.logOutOfMyWorkouts(), 401),
  )
}
