import { once } from 'node:events'
import { eventually, within } from '@service-link/test-kit/waits'
import * as z from 'zod'
import { startProgram } from '../demo/run-program.ts'
import { employees, patients } from '../journal/patients.ts'
import type { WrapperStage } from './browser-wrapper.ts'
import { expectEqual } from './story.ts'
import { wrapperPersons } from './wrapper-stage.ts'

const personSchema = z.object({ customid: z.string() })
const statusSchema = z.object({ pid: z.int(), signedin: z.boolean(), person: personSchema.nullable() })
const eventSchema = z.object({ event: z.string(), data: z.unknown() })

const { ola } = wrapperPersons

/** Watches the wrapper in session mode, while others drive it and until it ends. */
export async function tellWatch(stage: WrapperStage, tellMeanwhile: () => Promise<void>): Promise<void> {
  const { story, shown, pid, environment, launched, piped, put, servers } = stage
  await using resources = new AsyncDisposableStack()
  let output = ''
  const lines = () => output.split('\n').slice(0, -1)
  const watching = await story.step('service-pipe watch watches, in session mode', async () => {
    const child = startProgram('pipe', ['watch', 'personselected', 'closing'], { environment })
    resources.defer(() => void child.kill('SIGKILL'))
    child.stdout.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
    await within('The watch', 60_000, once(child.stderr, 'data'))
    return child
  })
  const nextPerson = async (index: number) => {
    const line = await eventually('An event', () => lines()[index])
    return personSchema.parse(eventSchema.parse(JSON.parse(line)).data).customid
  }

  await story.step('watch sees a person arrive by a signed link', async () => {
    const visit = { patientId: patients[1]?.id ?? '', employeeId: employees[0]?.employeeId ?? '' }
    await put('watched.jwt', (await servers.partner.signVisit(visit)) ?? '')
    await launched('payload=@watched.jwt', 'wait=true')
    expectEqual('who arrived', await nextPerson(0), visit.patientId)
  })
  await story.step(
    'watch sees another arrive by the pipe, whose data no list of processes shows',
    async () => {
      const { customId: customid, firstname, lastname } = ola
      const file = await put('person.json', JSON.stringify({ customid, firstname, lastname }))
      await piped('selectperson', `@${file}`)
      expectEqual('who arrived', await nextPerson(1), customid)
      await shown.waitForPerson(customid)
    },
  )
  await story.step('service-pipe status tells who is in focus', async () => {
    const { person, ...state } = statusSchema.parse(JSON.parse(await piped('status')))
    expectEqual('state', state, { pid, signedin: true })
    expectEqual('who is in focus', person?.customid, ola.customId)
  })

  await tellMeanwhile()

  await story.step('watch has seen everybody who came, then closing, and has ended with 0', async () => {
    if (watching.exitCode === null) await within('The end of watch', 60_000, once(watching, 'exit'))
    expectEqual('exit code', watching.exitCode, 0)
    const events = lines().map(line => eventSchema.parse(JSON.parse(line)).event)
    expectEqual('the last event', events.at(-1), 'closing')
    expectEqual('somebody came in between', events.length > 3, true)
  })
}
