import { buildArguments } from '@service-link/cli-args'
import { eventually, expectEqual } from './expect.ts'
import { renderersOf } from './process-list.ts'
import type { RunningStage } from './wrapper-stage.ts'

/** What becomes of launches while the service is away, and when the page's process dies. */
export async function tellOutageStory({ story, page, launch, pid, servers }: RunningStage): Promise<void> {
  const searched = (text: string) =>
    eventually(`A search for ${text}`, async () => {
      const value = await page.read(`document.querySelector('[data-testid="exercise-search"]')?.value`)
      return value === text ? true : undefined
    })

  await story.step('when the service is away, the wrapper shows a page of its own', async () => {
    await servers.stopService()
    await page.reload()
    await eventually('The wrapper’s own page', async () =>
      (await page.allText()).includes('Service cannot be reached') ? true : undefined,
    )
  })

  await story.step('a launch is taken meanwhile, and carried out when the service is back', async () => {
    const { exitCode, errors } = await launch(...buildArguments({ queryExercises: 'shoulder' }))
    expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
    await servers.startService()
    await page.clickButton('Try again')
    await searched('shoulder')
  })

  await story.step('the page’s process is killed: it is started anew, and takes commands', async () => {
    const before = await renderersOf(pid)
    expectEqual('there are processes of pages', before.length > 0, true)
    for (const renderer of before) process.kill(renderer, 'SIGKILL')
    const args = buildArguments({ queryExercises: 'hip', wait: true })
    const { exitCode, errors } = await launch(...args)
    expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
    await searched('hip')
  })
}
