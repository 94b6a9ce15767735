import { readdir } from 'node:fs/promises'
import { buildArguments } from '@service-link/cli-args'
import { eventually } from '@service-link/test-kit/waits'
import { employees, patients } from '../journal/patients.ts'
import type { Drawn, WrapperStage } from './browser-wrapper.ts'
import { expectEqual } from './story.ts'
import { wrapperPersons } from './wrapper-stage.ts'

const { kari } = wrapperPersons

/** Shows what the wrapper does when the service is away, and when the page's process dies. */
export async function tellOutages({ story, shown, launched, servers }: WrapperStage, { watched }: Drawn) {
  await story.step('when the service is away, the wrapper shows a page of its own', async () => {
    await servers.stopService()
    const page = await watched.page()
    await page.evaluate(() => void setTimeout(() => location.reload()))
    await eventually('The notice', async () =>
      (await watched.allText()).includes('Service cannot be reached'),
    )
  })
  await story.step('a launch is taken meanwhile, and carried out when the service is back', async () => {
    await launched(...buildArguments({ queryExercises: 'shoulder' }))
    await servers.startService()
    await shown.waitForSearch('shoulder')
  })
  await story.step('the page’s process is killed: it is started anew, and takes commands', async () => {
    const page = await watched.page()
    const crashed = page.waitForEvent('crash')
    const session = await page.context().newCDPSession(page)
    void session.send('Page.crash').catch(() => undefined)
    await crashed
    await launched(...buildArguments({ queryExercises: 'hip', wait: true }))
    await shown.waitForSearch('hip')
  })
}

/** Shows how a session is kept while its window closes, how it ends, and how a signed payload begins one. */
export async function tellSession(stage: WrapperStage, drawn: Drawn): Promise<void> {
  const { story, shown, launched, put, servers, windowProblem } = stage
  const { watched, desktop } = drawn
  const readTitle = async () => (await watched.page()).title()
  const closing = '[2.2-minimize-on-exit] closing the window minimizes it while somebody is signed in'
  if (desktop) {
    const title = await readTitle()
    await story.step(closing, async () => {
      // The wrapper opens another page then, which a connection would hold.
      await watched.leave()
      await desktop.activate(title)
      // The default key of openbox for closing a window, as its close button does.
      await desktop.xdotool('key', '--clearmodifiers', 'alt+F4')
      await eventually('A minimized window', async () => !(await desktop.shows(title)))
    })
    await story.step('the launch that follows shows it again', async () => {
      await launched(...buildArguments({ queryWorkouts: 'knee', wait: true }))
      const now = await readTitle()
      await eventually('The window in front', () => desktop.isInFront(now))
    })
  } else story.skip(closing, windowProblem)
  await story.step('a sign-out in the page ends the session: no cookie of it is left', () => signOut(drawn))
  await story.step('the next launch waits for a log-in', async () => {
    await launched(...buildArguments({ person: kari }))
    await shown.logIn()
    await shown.waitForPerson(kari.customId)
  })
  await story.step(
    '[4.1-post] a launch with a signed payload signs the employee in and puts the contact in focus',
    async () => {
      await signOut(drawn)
      const visit = { patientId: patients[0]?.id ?? '', employeeId: employees[0]?.employeeId ?? '' }
      await put('payload.jwt', (await servers.partner.signVisit(visit)) ?? '')
      await launched('payload=@payload.jwt', 'wait=true')
      await shown.waitForPerson(visit.patientId)
      await (await watched.page()).getByTestId('signed-in-as').waitFor()
    },
  )
}

async function signOut({ watched, profileFolder }: Drawn): Promise<void> {
  const page = await watched.page()
  const before = await page.context().cookies()
  expectEqual('there are cookies', before.length > 0, true)
  await page.getByTestId('sign-out').click()
  await watched.waitForEnd()
  const next = await watched.page()
  await next.getByTestId('login-form').waitFor()
  expectEqual('cookies', await next.context().cookies(), [])
  expectEqual('profiles of the browser', (await readdir(profileFolder)).length, 1)
}
