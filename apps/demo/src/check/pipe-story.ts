import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { findOnPath } from '@service-link/window-engine'
import * as z from 'zod'
import { runProgram, within } from '../demo/run-program.ts'
import { patients } from '../journal/patients.ts'
import { processesOfSession } from './desktop.ts'
import { eventually, expectEqual, expectMatch } from './story.ts'
import { type LaunchStage, wrapperPersons } from './wrapper-stage.ts'

const runFile = promisify(execFile)

const selectedSchema = z.object({
  status: z.enum(['selected', 'created']),
  userid: z.int(),
  customid: z.string(),
})
const listedSchema = z.array(z.looseObject({ pid: z.int() }))
const usersSchema = z.array(z.looseObject({ id: z.int(), customId: z.string().nullish() }))
const workoutsSchema = z.array(z.looseObject({ id: z.int(), name: z.string() }))

export async function tellPipeStory(options: LaunchStage): Promise<void> {
  const { story, shown, pid, environment, profileFolder } = options

  const pipe = (...args: string[]) => runProgram('pipe', args, { environment })
  const ask = async (...args: string[]): Promise<unknown> => {
    const { exitCode, output, errors } = await pipe(...args, `--pid=${pid}`)
    expectEqual(`exit code of ${args[0]} (${errors.trim()})`, exitCode, 0)
    return output.trim() === '' ? undefined : JSON.parse(output)
  }

  await story.step('[4.5-name] list finds the wrapper', async () => {
    const { exitCode, output } = await pipe('list')
    expectEqual('exit code', exitCode, 0)
    const pids = listedSchema.parse(JSON.parse(output)).map(found => found.pid)
    expectEqual('the wrapper is listed', pids.includes(pid), true)
  })

  await story.step('[4.5-version] version', async () => {
    expectEqual('version', await ask('version'), '3.0.0.0')
  })

  const userId = await story.step(
    '[4.5-selectperson] selectperson creates a person, and the page shows it',
    async () => {
      const args = [
        'customid=pipe-2001',
        'firstname=Ingeborg',
        'lastname=Ås',
        'gender=F',
        'dateofbirth=1960-05-17',
      ]
      const created = selectedSchema.parse(await ask('selectperson', ...args))
      expectEqual('status', created.status, 'created')
      await shown.waitForPerson('pipe-2001')
      const again = selectedSchema.parse(await ask('selectperson', ...args))
      expectEqual('second answer', again, { ...created, status: 'selected' })
      return created.userid
    },
  )

  await story.step('[4.5-setcustomid] setcustomid changes the id of that user', async () => {
    await ask('setcustomid', `userid=${userId}`, 'customid=pipe-2002')
    const [user] = usersSchema.parse(await ask('getlistofusers', 'customid=pipe-2002'))
    expectEqual('user', user?.id, userId)
    await shown.waitForPerson('pipe-2002')
  })

  await story.step('[4.5-getlistofusers] getlistofusers lists the organisation’s users', async () => {
    const ids = usersSchema.parse(await ask('getlistofusers')).map(user => user.customId)
    for (const id of ['wrapper-1001', 'wrapper-1002', 'pipe-2002'])
      expectEqual(`${id} is listed`, ids.includes(id), true)
  })

  const workout = await story.step(
    '[4.5-getworkoutsforclient] getworkoutsforclient lists a workout that was given',
    async () => {
      await ask('selectperson', `userid=${userId}`, 'firstname=Ingeborg', 'lastname=Ås')
      await shown.giveWorkout()
      const workouts = await eventually('A workout of the person', async () => {
        const found = workoutsSchema.parse(await ask('getworkoutsforclient', 'customid=pipe-2002'))
        return found.length > 0 ? found : undefined
      })
      const byUser = workoutsSchema.parse(
        await ask('getworkoutsforclient', `userid=${userId}`, 'from=2000-01-01'),
      )
      expectEqual('by userid', byUser, workouts)
      expectEqual(
        'newer than the future',
        await ask('getworkoutsforclient', `userid=${userId}`, 'from=2999-01-01'),
        [],
      )
      const [first] = workouts
      if (!first) throw new Error('there is none')
      return first
    },
  )

  await story.step('[4.5-openworkout] openworkout shows it', async () => {
    await ask('selectperson', 'customid=wrapper-1001', 'firstname=Kari', 'lastname=Ødegård')
    await ask('openworkout', `id=${workout.id}`)
    await shown.waitForWorkout(workout.id)
  })

  await tellOlderProgram(options, ['pipe-2002', 'Ingeborg', 'Ås', '1960-05-17'], userId, workout)

  await story.step(
    'an unknown workout, a wrong or missing argument and an unknown command are refused with their codes',
    async () => {
      for (const [args, exitCode, message] of [
        [['openworkout', 'id=999999999'], 4, /ERR_NOT_FOUND/],
        [['setcustomid', 'userid=1', 'customid=x', 'userid=2'], 2, /userid/],
        [['setcustomid', 'userid=1'], 2, /customid/],
        [['getworkoutsforclient', 'customid=x', 'from=yesterday'], 4, /ERR_ARGS/],
      ] as const) {
        const answer = await pipe(...args, `--pid=${pid}`)
        expectEqual(`exit code of ${args[0]}`, answer.exitCode, exitCode)
        expectMatch('message', answer.errors, message)
      }
      expectEqual('exit code of an unknown command', (await pipe('explode', `--pid=${pid}`)).exitCode, 2)
    },
  )

  await tellWindowSteps(options, ask)

  await story.step('[4.5-close] close ends all processes', async () => {
    if (profileFolder) {
      const before = await processesOfSession(profileFolder)
      expectEqual('browser processes run', before.length > 0, true)
    }
    await ask('close')
    const code = await within('The end of the wrapper', 60_000, options.ended)
    expectEqual('exit code of the wrapper', code, 0)
    if (profileFolder)
      await eventually(
        'The end of the browser',
        async () => (await processesOfSession(profileFolder)).length === 0,
      )
    expectEqual('exit code without a wrapper', (await pipe('version', `--pid=${pid}`)).exitCode, 3)
  })

  async function tellWindowSteps(
    { desktop: screen, page, otherWindow = '', windowProblem = '' }: LaunchStage,
    send: (...args: string[]) => Promise<unknown>,
  ): Promise<void> {
    if (!screen || !page) {
      story.skip('[4.5-hide] [4.5-show] hide and show on a real window', windowProblem)
      await story.step('hide and show are answered', async () => {
        await send('hide')
        await send('show')
      })
      return
    }
    const title = String(await page.read('document.title'))
    const isVisible = async () => (await screen.visibleWindows()).some(name => name.includes(title))
    await story.step('[4.5-hide] hide minimises the real window', async () => {
      await eventually('A visible window', isVisible)
      await send('hide')
      await eventually('A minimised window', async () => !(await isVisible()))
    })
    const isInFront = async () => (await screen.activeWindow()).includes(title)
    await story.step('[4.5-show] show restores the minimised window', async () => {
      await send('show')
      await eventually('The window in front', isInFront)
      await eventually('A visible window', isVisible)
    })
    await story.step('[4.5-show] show brings the window before the other application', async () => {
      await screen.activate(otherWindow)
      await eventually('The other application in front', async () => !(await isInFront()))
      await send('show')
      await eventually('The window in front', isInFront)
    })
  }
}

const olderProgram = fileURLToPath(new URL('../../../../conformance/csharp/OlderProgram.cs', import.meta.url))

/** Runs a program of 2016 for a person with one workout. */
async function tellOlderProgram(
  { story, pid, environment, launchFolder, shown }: LaunchStage,
  person: readonly string[],
  userId: number,
  workout: z.output<typeof workoutsSchema>[number],
): Promise<void> {
  const title = 'a program of 2016, in C#, reads persons and workouts as dynamic and as typed objects'
  if (!findOnPath('mcs') || !findOnPath('mono')) return story.skip(title, 'Mono is not installed')
  await story.step(title, async () => {
    const program = join(launchFolder, 'older.exe')
    const libraries = ['Microsoft.CSharp', 'System.Runtime.Serialization', 'System.Xml']
    const references = libraries.map(name => `-r:${name}.dll`)
    const options = { env: environment, timeout: 60_000 }
    await runFile('mcs', [...references, `-out:${program}`, olderProgram], options)
    const { stdout } = await runFile('mono', [program, String(pid), ...person], options)
    await shown.waitForWorkout(workout.id)
    const name = person.slice(0, 3).join(' ')
    for (const kind of ['dynamic', 'typed'])
      for (const line of [
        `user ${userId}: ${name} `,
        `workout ${workout.id}: ${workout.name}, by [1-9]\\d* .+ for ${userId} `,
        'exercise [1-9]',
      ])
        expectMatch('the output', stdout, new RegExp(`^${kind} ${line}`, 'm'))
  })
}

const lineSchema = z.looseObject({ level: z.string(), time: z.iso.datetime(), event: z.string() })

/** Checks that an ended wrapper leaves its log and nothing else. */
export async function tellRecordStory(stage: LaunchStage): Promise<void> {
  const { story, folders, profileFolder, environment, pid } = stage
  await story.step('[4.5-close] after the end no process, socket or record is left', async () => {
    if (profileFolder) expectEqual('processes of the browser', await processesOfSession(profileFolder), [])
    // On Windows pipes are no files and end with the process.
    if (process.platform !== 'win32') {
      const pipe = pipeAddress(defaultBrand, pid, process.platform, unixPipeFolder(environment))
      expectEqual('a pipe is there', existsSync(pipe), false)
    }
    const left = (await readdir(join(folders.data, 'run'))).filter(name => !name.endsWith('.lock'))
    expectEqual('records and sockets', left, [])
  })

  await story.step('the log holds the launches, and nobody’s name', async () => {
    const folder = join(folders.data, 'logs')
    const files = await readdir(folder)
    const text = (await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))).join('')
    const events = text
      .trim()
      .split('\n')
      .map(line => lineSchema.parse(JSON.parse(line)).event)
    const expected = ['started', 'launch-taken', 'launch-done', 'signed-in', 'closing']
    const outages = ['page-unreachable', 'page-reachable', 'page-crashed', 'signed-out']
    if (profileFolder) expected.push(...outages)
    for (const event of expected) expectEqual(`${event} is written down`, events.includes(event), true)
    const persons = [...Object.values(wrapperPersons), ...patients].flatMap(personalTexts)
    for (const word of [...persons, ...personalTexts(stage.servers.employee)])
      expectEqual('a person is named', text.includes(word), false)
  })
}

/** The texts of a person that are long enough for a search. */
function personalTexts(person: object): readonly string[] {
  return Object.values(person).filter(value => typeof value === 'string' && value.length > 4)
}
