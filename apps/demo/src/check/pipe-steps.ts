import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { eventually, within } from '@service-link/test-kit/waits'
import { findOnPath } from '@service-link/window-engine'
import * as z from 'zod'
import { patients } from '../journal/patients.ts'
import type { WrapperStage } from './browser-wrapper.ts'
import { expectEqual, expectMatch } from './story.ts'
import { wrapperPersons } from './wrapper-stage.ts'

const runFile = promisify(execFile)

const selectedSchema = z.object({ status: z.string(), userid: z.int(), customid: z.string() })
const statusSchema = z.object({
  signedin: z.boolean(),
  person: z.nullable(z.object({ customid: z.string() })),
  focusnumber: z.int(),
})
const shownSchema = z.object({ focusnumber: z.int(), receipt: z.object({ employee: z.string() }) })
const usersSchema = z.array(z.looseObject({ id: z.int(), customId: z.string().nullish() }))
const workoutsSchema = z.array(z.looseObject({ id: z.int(), name: z.string() }))

/** Shows each command of the pipe, by `service-pipe` as another process; the last one ends the wrapper. */
export async function tellPipe(stage: WrapperStage): Promise<void> {
  const { story, shown, pid, pipe, piped, ended, drawn } = stage
  const ask = async (...args: string[]): Promise<unknown> => JSON.parse((await piped(...args)) || 'null')
  await story.step('[4.5-name] list finds the wrapper', async () =>
    expectMatch('the list', await piped('list'), new RegExp(`"pid": ?${pid},`)),
  )
  await story.step('[4.5-version] version', async () =>
    expectEqual('version', await ask('version'), '3.0.0.0'),
  )
  const userId = await story.step(
    '[4.5-selectperson] selectperson creates a person, and the page shows it',
    async () => {
      const person = ['firstname=Ingeborg', 'lastname=Ås', 'gender=F', 'dateofbirth=1960-05-17']
      const created = selectedSchema.parse(await ask('selectperson', 'customid=pipe-2001', ...person))
      expectEqual('status', created.status, 'created')
      await shown.waitForPerson('pipe-2001')
      return created.userid
    },
  )
  await story.step('[4.5-setcustomid] setcustomid changes the id of that user', async () => {
    await ask('setcustomid', `userid=${userId}`, 'customid=pipe-2002')
    await shown.waitForPerson('pipe-2002')
  })
  await story.step('[4.5-getlistofusers] getlistofusers lists the organization’s users', async () => {
    const ids = usersSchema.parse(await ask('getlistofusers')).map(user => user.customId)
    for (const id of ['wrapper-1001', 'wrapper-1002', 'pipe-2002'])
      expectEqual(`${id} is listed`, ids.includes(id), true)
  })
  const workout = await story.step(
    '[4.5-getworkoutsforclient] getworkoutsforclient lists a workout that was given',
    async () => {
      await shown.giveWorkout()
      return eventually('A workout of the person', async () => {
        const [given] = workoutsSchema.parse(await ask('getworkoutsforclient', 'customid=pipe-2002'))
        return given
      })
    },
  )
  await story.step('[4.5-openworkout] openworkout shows it', async () => {
    await ask('selectperson', 'customid=wrapper-1001', 'firstname=Kari', 'lastname=Ødegård')
    await ask('openworkout', `id=${workout.id}`)
    await shown.waitForWorkout(workout.id)
  })
  await tellOlderProgram(stage, userId, workout)
  await story.step(
    'an unknown workout, a wrong or missing argument and an unknown command are refused with their codes',
    async () => {
      for (const [args, exitCode, message] of [
        [['openworkout', 'id=999999999'], 4, /ERR_NOT_FOUND/],
        [['setcustomid', 'userid=1'], 2, /customid/],
        [['getworkoutsforclient', 'customid=x', 'from=yesterday'], 4, /ERR_ARGS/],
        [['explode'], 2, /ERR_USAGE/],
      ] as const) {
        const answer = await pipe(...args)
        expectEqual(`exit code of ${args[0]}`, answer.exitCode, exitCode)
        expectMatch('message', answer.errors, message)
      }
    },
  )
  await tellWindow(stage, ask)
  await story.step('clearperson takes the person off the screen, and another one not', async () => {
    const person = ['customid=wrapper-1001', 'firstname=Kari', 'lastname=Ødegård']
    const before = statusSchema.parse(await ask('status')).focusnumber
    const { focusnumber } = shownSchema.parse(await ask('selectperson', ...person, 'receipt=true'))
    expectEqual('the number has risen', focusnumber > before, true)
    await ask('clearperson', 'customid=pipe-2002')
    expectEqual('person in focus', statusSchema.parse(await ask('status')).person?.customid, 'wrapper-1001')
    await ask('clearperson')
    expectEqual('person in focus', statusSchema.parse(await ask('status')).person, null)
    const page = await drawn?.watched?.page()
    if (page) expectEqual('the page names her', /Kari|wrapper-1001/.test(await page.content()), false)
  })
  await story.step('signout shows the log-in page, and the wrapper stays', async () => {
    await ask('signout')
    const { signedin, person } = statusSchema.parse(await ask('status'))
    expectEqual('signed in, in focus', [signedin, person], [false, null])
  })
  await story.step('[4.5-close] close ends all processes', async () => {
    await ask('close')
    expectEqual('exit code of the wrapper', await within('The end of the wrapper', 60_000, ended), 0)
    if (drawn)
      await eventually('The end of the browser', async () => {
        const { stdout } = await runFile('ps', ['-eo', 'args='], { maxBuffer: 2 ** 24 })
        return !stdout.includes(drawn.profileFolder)
      })
    expectEqual('exit code without a wrapper', (await pipe('version')).exitCode, 3)
  })
}

async function tellWindow({ story, drawn, windowProblem }: WrapperStage, ask: (command: string) => unknown) {
  const { desktop, watched } = drawn ?? {}
  if (!desktop || !watched) {
    story.skip('[4.5-hide] [4.5-show] hide and show on a real window', windowProblem)
    return
  }
  const title = await (await watched.page()).title()
  await story.step('[4.5-hide] hide minimizes the real window', async () => {
    await ask('hide')
    await eventually('A minimized window', async () => !(await desktop.shows(title)))
  })
  await story.step('[4.5-show] show restores the minimized window', async () => {
    await ask('show')
    await eventually('The window in front', () => desktop.isInFront(title))
  })
  await story.step('[4.5-show] show brings the window before the other application', async () => {
    await desktop.activate('Journal')
    await eventually('The other application in front', async () => !(await desktop.isInFront(title)))
    await ask('show')
    await eventually('The window in front', () => desktop.isInFront(title))
  })
}

const olderProgram = fileURLToPath(new URL('../../../../conformance/csharp/OlderProgram.cs', import.meta.url))

/** Runs a program of 2016 for the person with one workout. */
async function tellOlderProgram(
  { story, pid, environment, launchFolder, shown }: WrapperStage,
  userId: number,
  workout: { readonly id: number; readonly name: string },
): Promise<void> {
  const title = 'a program of 2016, in C#, reads persons and workouts as dynamic and as typed objects'
  if (!findOnPath('mcs') || !findOnPath('mono')) return story.skip(title, 'Mono is not installed')
  await story.step(title, async () => {
    const program = join(launchFolder, 'older.exe')
    const libraries = ['Microsoft.CSharp', 'System.Runtime.Serialization', 'System.Xml']
    const options = { env: environment, timeout: 60_000 }
    await runFile(
      'mcs',
      [...libraries.map(name => `-r:${name}.dll`), `-out:${program}`, olderProgram],
      options,
    )
    const person = ['pipe-2002', 'Ingeborg', 'Ås', '1960-05-17']
    const { stdout } = await runFile('mono', [program, String(pid), ...person], options)
    await shown.waitForWorkout(workout.id)
    for (const kind of ['dynamic', 'typed']) {
      expectMatch('the output', stdout, new RegExp(`^${kind} user ${userId}: pipe-2002 Ingeborg Ås `, 'm'))
      expectMatch('the output', stdout, new RegExp(`^${kind} workout ${workout.id}: ${workout.name}, `, 'm'))
    }
  })
}

const lineSchema = z.looseObject({ event: z.string() })

/** Checks that an ended wrapper leaves its log and nothing else. */
export async function tellRecords({ story, folders, environment, pid, servers, drawn }: WrapperStage) {
  await story.step('[4.5-close] after the end no process, socket or record is left', async () => {
    // On Windows pipes are no files and end with the process.
    const pipe = pipeAddress(defaultBrand, pid, process.platform, unixPipeFolder(environment))
    expectEqual('a pipe is there', process.platform !== 'win32' && existsSync(pipe), false)
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
    const outages = drawn ? ['page-unreachable', 'page-reachable', 'page-crashed', 'signed-out'] : []
    for (const event of ['started', 'launch-taken', 'launch-done', 'signed-in', 'closing', ...outages])
      expectEqual(`${event} is written down`, events.includes(event), true)
    const persons = [...Object.values(wrapperPersons), ...patients, servers.employee]
    for (const word of persons.flatMap(person => Object.values(person)))
      if (typeof word === 'string' && word.length > 4)
        expectEqual('a person is named', text.includes(word), false)
  })
}
