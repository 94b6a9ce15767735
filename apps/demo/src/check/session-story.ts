import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { employees, patients } from '../journal/patients.ts'
import { renderersOf } from './desktop.ts'
import { logIn } from './page-observer.ts'
import { eventually, expectEqual } from './story.ts'
import { type RunningStage, wrapperPersons } from './wrapper-stage.ts'

const { kari } = wrapperPersons
const isLoggedIn = `!!document.querySelector('[data-testid="signed-in-as"]')`

export async function tellSessionStory(stage: RunningStage): Promise<void> {
  const { story, page, launched, launchFolder, servers } = stage
  await tellMinimiseSteps(stage)

  await story.step('a sign-out in the page ends the session: no cookie of it is left', () => signOut(stage))

  await story.step('the next launch waits for a log-in', async () => {
    await launched(...buildArguments({ person: kari }))
    await eventually('The log-in form', () => page.text('login-form'))
    expectEqual('somebody is signed in', await page.read(isLoggedIn), false)
    await logIn(page, servers.employee)
    await page.waitForAttribute('person-in-focus', 'data-custom-id', kari.customId)
  })

  await story.step(
    '[4.1-post] a launch with a signed payload signs the employee in and puts the contact in focus',
    async () => {
      await signOut(stage)
      const [employee] = employees
      const [patient] = patients
      if (!employee || !patient) throw new Error('the journal is empty')
      const visit = { patientId: patient.id, employeeId: employee.employeeId }
      const file = join(launchFolder, 'payload.jwt')
      await writeFile(file, (await servers.partner.signVisit(visit)) ?? '', { mode: 0o600 })
      await launched('payload=@payload.jwt', 'wait=true')
      await page.waitForAttribute('person-in-focus', 'data-custom-id', patient.id)
      expectEqual('somebody is signed in', await page.read(isLoggedIn), true)
    },
  )
}

async function signOut({ page, profileFolder }: RunningStage): Promise<void> {
  const before = await page.cookieNames()
  expectEqual('there are cookies', before.length > 0, true)
  await page.click('[data-testid="sign-out"]')
  await page.followNextBrowser()
  await eventually('The log-in form', () => page.text('login-form'))
  expectEqual('cookies', await page.cookieNames(), [])
  const files = await readdir(profileFolder)
  expectEqual('profiles of the browser', files.length, 1)
}

async function tellMinimiseSteps({
  story,
  page,
  desktop,
  windowProblem = '',
  launched,
  wrapper,
}: RunningStage): Promise<void> {
  const shown = '[2.2-minimize-on-exit] closing the window minimises it while somebody is signed in'
  if (!desktop) {
    story.skip(shown, windowProblem)
    return
  }
  const title = async () => String(await page.read('document.title'))
  const name = await title()
  const isVisible = async () => (await desktop.visibleWindows()).some(window => window.includes(name))
  await story.step(shown, async () => {
    await desktop.activate(name)
    await desktop.closeActive()
    await eventually('A minimised window', async () => !(await isVisible()))
    expectEqual('exit code of the wrapper', wrapper.exitCode, null)
  })
  await story.step('the launch that follows shows it again', async () => {
    await launched(...buildArguments({ queryWorkouts: 'knee', wait: true }))
    await eventually('The window in front', async () =>
      (await desktop.activeWindow()).includes(await title()),
    )
  })
}

export async function tellOutageStory({ story, page, launched, pid, servers }: RunningStage): Promise<void> {
  const searched = (text: string) =>
    eventually(`A search for ${text}`, async () => {
      const value = await page.read(`document.querySelector('[data-testid="exercise-search"]')?.value`)
      return value === text
    })

  await story.step('when the service is away, the wrapper shows a page of its own', async () => {
    await servers.stopService()
    await page.reload()
    await eventually('The wrapper’s own page', async () =>
      (await page.allText()).includes('Service cannot be reached'),
    )
  })

  await story.step('a launch is taken meanwhile, and carried out when the service is back', async () => {
    await launched(...buildArguments({ queryExercises: 'shoulder' }))
    await servers.startService()
    await searched('shoulder')
  })

  await story.step('the page’s process is killed: it is started anew, and takes commands', async () => {
    const before = await renderersOf(pid)
    expectEqual('there are processes of pages', before.length > 0, true)
    for (const renderer of before) process.kill(renderer, 'SIGKILL')
    const args = buildArguments({ queryExercises: 'hip', wait: true })
    await launched(...args)
    await searched('hip')
  })
}
