import type { ChildProcess } from 'node:child_process'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { endProgram, runProgram, startProgram } from '../demo/run-program.ts'
import { observablePort } from './browser.ts'
import { tellLaunchStory, tellUpdateStory } from './launch-story.ts'
import { logIn, PageObserver } from './page-observer.ts'
import { tellPipeStory, tellRecordStory } from './pipe-story.ts'
import { tellOutageStory, tellSessionStory } from './session-story.ts'
import { tellSetupStory } from './setup-story.ts'
import { expectMatch } from './story.ts'
import { tellWatchStory } from './watch-story.ts'
import { type RunningStage, type WrapperStage, wrapperPersons } from './wrapper-stage.ts'

const { kari } = wrapperPersons

/** All that a wrapper does, on one that runs from the first step to the last. */
export async function tellWrapperStory(stage: WrapperStage): Promise<void> {
  const { story, environment, launchFolder } = stage
  await using resources = new AsyncDisposableStack()
  const { wrapper, page } = await story.step(
    'the wrapper starts with person arguments and opens its window',
    async () => {
      const args = buildArguments({ provider: defaultBrand.providers.arguments, person: kari })
      const child = startProgram('wrapper', args, { environment, workingDirectory: launchFolder })
      resources.defer(() => endProgram(child))
      const said: string[] = []
      child.stderr.on('data', chunk => said.push(String(chunk)))
      const ended = new Promise<never>((_, reject) => {
        child.once('exit', code => reject(new Error(`The wrapper ended with ${code}: ${said.join('')}`)))
      })
      ended.catch(() => undefined)
      const observer = await Promise.race([openPage(stage.profileFolder), ended])
      resources.use(observer)
      return { wrapper: child, page: observer }
    },
  )

  await story.step('the web app in the window asks for a log-in', () => logIn(page, stage.servers.employee))

  await story.step('[4.3-select-or-create] the person of the launch is created and in focus', async () => {
    await page.waitForAttribute('person-in-focus', 'data-custom-id', kari.customId)
    expectMatch('name in focus', (await page.text('person-in-focus')) ?? '', /Kari.*Ødegård/)
  })

  const running: RunningStage = {
    ...stage,
    wrapper,
    page,
    pid: pidOf(wrapper),
    launch: (...args) => runProgram('wrapper', args, { environment, workingDirectory: launchFolder }),
  }
  await tellUpdateStory(running)
  await tellLaunchStory(running)
  await story.chapter('Settings and doctor', () => tellSetupStory(running))
  await story.chapter('Outages', () => tellOutageStory(running))
  await story.chapter('Session', () => tellSessionStory(running))
  await story.chapter('Named pipe', async () => {
    await tellWatchStory(running, () => tellPipeStory(running))
    await tellRecordStory(running)
  })
}

async function openPage(profileFolder: string): Promise<PageObserver> {
  return PageObserver.connect(await observablePort(profileFolder))
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The wrapper did not start.')
  return child.pid
}
