import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { answerOf, startMemoryWindow } from '../demo/memory-window.ts'
import { tellHttpStory } from './http-story.ts'
import { tellLaunchStory, tellSetupStory } from './launch-story.ts'
import { tellPipeStory, tellRecordStory } from './pipe-story.ts'
import { eventually, expectEqual, expectMatch } from './story.ts'
import { tellWatchStory } from './watch-story.ts'
import {
  type LaunchStage,
  launchesOf,
  prepareWrapper,
  type ShownPage,
  type ToldWith,
  wrapperPersons,
} from './wrapper-stage.ts'

/** Shows what needs no browser: the partner link by HTTP, and a wrapper whose page is in memory. */
export async function tellWithoutBrowser(told: ToldWith): Promise<void> {
  const { story, servers } = told
  const reason = 'no Chromium, Chrome or Edge is installed, and none could be fetched'
  await tellHttpStory(story, servers)
  await story.chapter('Wrapper, with a page in memory', () => tellMemoryStory(told))
  await story.chapter('In a browser', async () => {
    story.skipMainPart('the journal’s button, the web app and the consumer app on the screen', reason)
    story.skip('the wrapper’s window, update notice, outages and sign-out', reason)
  })
}

const { kari } = wrapperPersons

async function tellMemoryStory(told: ToldWith): Promise<void> {
  const { story, servers } = told
  await using resources = new AsyncDisposableStack()
  const prepared = await prepareWrapper(told, 'Headless')
  resources.use(prepared.updates)
  const { folders } = prepared

  const memory = await story.step(
    'the wrapper starts with person arguments, and nobody is signed in',
    async () => {
      const started = resources.use(
        await startMemoryWindow({
          serviceUrl: servers.service.url,
          employee: servers.employee,
          folders: { applicationRoot: folders.root, userFolder: folders.data },
          argv: buildArguments({ provider: defaultBrand.providers.arguments, person: kari }),
        }),
      )
      expectEqual('calls of the page', started.wrapper.calls, [])
      return started
    },
  )
  const { wrapper } = memory
  const started = { ...prepared, windowProblem: 'there is no browser' }
  const stage: LaunchStage = {
    ...started,
    ...launchesOf(started),
    shown: shownIn(memory),
    ended: wrapper.closed.then(() => 0),
    pid: wrapper.pid,
  }

  await story.step('the web app in memory logs in by the service’s own log-in', () => memory.logIn())

  await story.step(
    '[4.3-select-or-create] the person of the launch is in focus, and a row of the database',
    async () => {
      await stage.shown.waitForPerson(kari.customId)
      const found = await eventually('The person', async () => {
        const { persons } = await answerOf(
          memory.api.persons.search.$post({ json: { customId: kari.customId } }),
        )
        return persons.length > 0 && persons
      })
      expectEqual(
        'names',
        found.map(({ firstname, lastname }) => [firstname, lastname]),
        [[kari.firstname, kari.lastname]],
      )
    },
  )

  await story.step('a newer version is offered above the page', async () => {
    const notice = await eventually('The notice', () => wrapper.window.notice)
    expectMatch('the notice', notice.text, /A newer version of Service is available: 3\.1\.0\.0\./)
  })

  await tellLaunchStory(stage)
  await story.chapter('Settings and doctor', () => tellSetupStory(stage))
  await story.chapter('Named pipe', async () => {
    await tellWatchStory(stage, () => tellPipeStory(stage))
    await tellRecordStory(stage)
  })
}

/** The page in memory, by what the wrapper asked of it. */
function shownIn({ wrapper, api, personInFocus }: Awaited<ReturnType<typeof startMemoryWindow>>): ShownPage {
  const asked = (handler: string, value: string | number) =>
    eventually(`A call of ${handler} with ${value}`, () => {
      const call = wrapper.calls.findLast(call => call.handler === handler)
      return Object.values(call?.args ?? {}).includes(value)
    })
  return {
    personInFocus: async () => personInFocus()?.customId,
    async waitForPerson(id) {
      await eventually(`${id} in focus`, () => personInFocus()?.customId === id)
    },
    async waitForSearch(text) {
      await asked('queryExercises', text)
    },
    async waitForWorkout(id) {
      await asked('openWorkout', id)
    },
    async giveWorkout() {
      const { workouts } = await answerOf(api.workouts.$get({ query: {} }))
      const param = { id: String(workouts[0]?.id) }
      const json = { personId: personInFocus()?.userId ?? 0, key: crypto.randomUUID() }
      await answerOf(api.workouts[':id'].give.$post({ param, json }))
    },
  }
}
