import { once } from 'node:events'
import { join } from 'node:path'
import type { DemoAccount } from '@service-link/service'
import type { TestDisplay } from '@service-link/test-kit/display'
import { eventually } from '@service-link/test-kit/waits'
import { type WrapperPage, watchWrapperPage } from '@service-link/test-kit/wrapper-page'
import { endProgram, startProgram } from '../demo/run-program.ts'
import { giveFirstWorkout, logInAs } from './link-steps.ts'
import type { WrapperPlace } from './wrapper-stage.ts'

/** A running wrapper. One whose page is in memory has nothing that is `drawn`. */
export type WrapperStage = Omit<BrowserStage, 'drawn'> & Partial<Pick<BrowserStage, 'drawn'>>

type BrowserStage = Awaited<ReturnType<typeof startBrowserWrapper>>

/** What only a page that a browser draws has. */
export type Drawn = BrowserStage['drawn']

/** Starts a wrapper whose page a browser draws. */
export async function startBrowserWrapper(
  place: WrapperPlace,
  resources: AsyncDisposableStack,
  desktop: TestDisplay | undefined,
  args: readonly string[],
) {
  const { environment, launchFolder, servers, folders } = place
  const child = startProgram('wrapper', args, { environment, workingDirectory: launchFolder })
  resources.defer(() => endProgram(child))
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  /** Exit code of the wrapper, at its end. */
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const profileFolder = join(folders.data, 'browser')
  const failed = ended.then(code => Promise.reject(new Error(`The wrapper ended with ${code}: ${said}`)))
  failed.catch(() => undefined)
  const watched = resources.use(watchWrapperPage(profileFolder))
  await Promise.race([watched.page(), failed])
  const shown = shownBy(watched, servers.employee)
  return { ...place, shown, ended, pid: child.pid ?? 0, drawn: { desktop, watched, profileFolder } }
}

/** The page, drawn by a browser. */
function shownBy(watched: WrapperPage, employee: DemoAccount) {
  const find = async (selector: string) => (await watched.page()).locator(selector)
  return {
    async logIn() {
      await logInAs(await watched.page(), employee)
      await (await find('[data-testid="signed-in-as"]')).waitFor()
    },
    async personInFocus() {
      const id = (await find('[data-testid="person-in-focus"]')).getAttribute('data-custom-id')
      return (await id) ?? undefined
    },
    async waitForPerson(id: string) {
      await (await find(`[data-testid="person-in-focus"][data-custom-id="${id}"]`)).waitFor()
    },
    /** Waits until the search for exercises has this text. */
    async waitForSearch(text: string) {
      await eventually(`The search for ${text}`, async () => {
        return (await (await find('[data-testid="exercise-search"]')).inputValue()) === text
      })
    },
    async waitForWorkout(id: number) {
      await (await find(`[data-testid="workout-detail"][data-workout-id="${id}"]`)).waitFor()
    },
    /** Gives the person in focus the first workout of the library. */
    async giveWorkout() {
      await giveFirstWorkout(await watched.page())
    },
  }
}
