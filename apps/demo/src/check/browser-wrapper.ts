import { once } from 'node:events'
import { join } from 'node:path'
import { endProgram, startProgram } from '../demo/run-program.ts'
import { eventually } from '../demo/waits.ts'
import { logIn, PageObserver } from '../desktop/page-observer.ts'
import { observablePort } from '../desktop/user-browser.ts'
import type { Drawn, ShownPage, WrapperPlace, WrapperStage } from './wrapper-stage.ts'

/** Starts a wrapper whose page a browser draws. */
export async function startBrowserWrapper(
  place: WrapperPlace,
  resources: AsyncDisposableStack,
  drawn: Omit<Drawn, 'page' | 'profileFolder'>,
  args: readonly string[],
): Promise<WrapperStage> {
  const { environment, launchFolder, servers, folders } = place
  const child = startProgram('wrapper', args, { environment, workingDirectory: launchFolder })
  resources.defer(() => endProgram(child))
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const profileFolder = join(folders.data, 'browser')
  const failed = ended.then(code => Promise.reject(new Error(`The wrapper ended with ${code}: ${said}`)))
  failed.catch(() => undefined)
  const page = await Promise.race([PageObserver.connect(() => observablePort(profileFolder)), failed])
  resources.use(page)
  const shown: ShownPage = {
    logIn: () => logIn(page, servers.employee),
    personInFocus: () => page.attribute('person-in-focus', 'data-custom-id'),
    waitForPerson: id => page.waitForAttribute('person-in-focus', 'data-custom-id', id),
    async waitForSearch(text) {
      const value = `document.querySelector('[data-testid="exercise-search"]')?.value`
      await eventually(`The search for ${text}`, async () => (await page.read(value)) === text)
    },
    waitForWorkout: id => page.waitForAttribute('workout-detail', 'data-workout-id', String(id)),
    async waitForNotice(text) {
      await eventually('The notice', async () => (await page.allText()).includes(text))
    },
    async giveWorkout() {
      for (const part of [
        'a[href="/workouts"]',
        '[data-testid="workout-results"] a',
        '[data-testid="give-workout"]',
      ])
        await page.click(part)
    },
  }
  return { ...place, shown, ended, pid: child.pid ?? 0, drawn: { ...drawn, page, profileFolder } }
}
