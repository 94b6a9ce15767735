import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { runProgram, startProgram, within } from '../demo/run-program.ts'
import { employees, patients } from '../journal/patients.ts'
import { eventually, expectEqual, expectMatch } from './story.ts'
import { type LaunchStage, wrapperPersons } from './wrapper-stage.ts'

const personSchema = z.object({ customid: z.string(), firstname: z.string(), lastname: z.string() })
const statusSchema = z.object({
  pid: z.int(),
  version: z.string(),
  loaded: z.boolean(),
  signedin: z.boolean(),
  person: personSchema.partial().nullable(),
})
const eventSchema = z.object({ event: z.string(), data: z.unknown() })

const { ola } = wrapperPersons

/** Watches the wrapper in session mode, with `service-pipe` as another process. */
export async function tellWatchStory(stage: LaunchStage, tellMeanwhile: () => Promise<void>): Promise<void> {
  const { story, shown, pid, environment, launched, launchFolder, servers } = stage
  const [, patient] = patients
  const [employee] = employees
  if (!patient || !employee) throw new Error('the journal is empty')
  const target = [`--pid=${pid}`]

  const status = async () => {
    const { exitCode, output, errors } = await runProgram('pipe', ['status', ...target], { environment })
    expectEqual(`exit code of status (${errors.trim()})`, exitCode, 0)
    story.seen(output)
    return statusSchema.parse(JSON.parse(output))
  }

  await using resources = new AsyncDisposableStack()
  const { watching, lines } = await story.step('service-pipe watch watches, in session mode', async () => {
    const child = startProgram('pipe', ['watch', 'personselected', 'closing', ...target], { environment })
    resources.defer(() => void child.kill('SIGKILL'))
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
    child.stderr.setEncoding('utf8').on('data', chunk => {
      errors += chunk
    })
    await eventually('The watch', () => errors !== '')
    expectMatch('message', errors, /^Watching process \d+\./)
    return { watching: child, lines: () => output.split('\n').slice(0, -1) }
  })
  let readCount = 0
  const nextEvent = async () => {
    const line = await eventually('An event', () => lines()[readCount])
    readCount++
    story.seen(line)
    return eventSchema.parse(JSON.parse(line))
  }
  const nextPerson = async () => {
    const { event, data } = await nextEvent()
    expectEqual('event', event, 'personselected')
    return personSchema.parse(data).customid
  }

  await story.step('watch sees a person arrive by a signed link', async () => {
    const visit = { patientId: patient.id, employeeId: employee.employeeId }
    const file = join(launchFolder, 'watched.jwt')
    await writeFile(file, (await servers.partner.signVisit(visit)) ?? '', { mode: 0o600 })
    await launched('payload=@watched.jwt', 'wait=true')
    expectEqual('who arrived', await nextPerson(), patient.id)
  })

  await story.step(
    'watch sees another arrive by the pipe, whose data no list of processes shows',
    async () => {
      const file = join(launchFolder, 'person.json')
      const { customId, firstname, lastname } = ola
      await writeFile(file, JSON.stringify({ customid: customId, firstname, lastname }), { mode: 0o600 })
      const args = ['selectperson', `@${file}`, ...target]
      const { exitCode, errors } = await runProgram('pipe', args, { environment })
      expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
      expectEqual('who arrived', await nextPerson(), customId)
      await shown.waitForPerson(customId)
    },
  )

  await story.step('service-pipe status tells who is in focus', async () => {
    const { pid: told, version, loaded, signedin, person } = await status()
    expectEqual('process', told, pid)
    expectEqual('state', { version, loaded, signedin }, { version: '3.0.0.0', loaded: true, signedin: true })
    expectEqual('who is in focus', person?.customid, ola.customId)
  })

  await tellMeanwhile()

  await story.step('watch has seen everybody who came, then closing, and has ended with 0', async () => {
    if (watching.exitCode === null) await within('The end of watch', 60_000, once(watching, 'exit'))
    expectEqual('exit code', watching.exitCode, 0)
    const events = lines().map(line => eventSchema.parse(JSON.parse(line)).event)
    story.seen(`${events.length} events, the last: ${lines().at(-1)}`)
    expectEqual('the last event', events.at(-1), 'closing')
    expectEqual('somebody came in between', events.length > readCount + 1, true)
  })
}
