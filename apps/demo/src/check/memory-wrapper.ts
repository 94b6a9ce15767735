import { answerOf, startMemoryWindow } from '../demo/memory-window.ts'
import { eventually } from '../demo/waits.ts'
import type { WrapperPlace, WrapperStage } from './wrapper-stage.ts'

/** Starts a wrapper whose page is in memory: the page is known by what the wrapper asked of it. */
export async function startMemoryWrapper(
  place: WrapperPlace,
  resources: AsyncDisposableStack,
  argv: readonly string[],
): Promise<WrapperStage> {
  const { servers, folders } = place
  const memory = resources.use(
    await startMemoryWindow({
      serviceUrl: servers.service.url,
      employee: servers.employee,
      folders: { applicationRoot: folders.root, userFolder: folders.data },
      argv,
    }),
  )
  const { wrapper, api, personInFocus } = memory
  const waitForCall = async (handler: string, value: string | number) => {
    await eventually(`A call of ${handler} with ${value}`, () => {
      const call = wrapper.calls.findLast(found => found.handler === handler)
      return Object.values(call?.args ?? {}).includes(value)
    })
  }
  return {
    ...place,
    pid: wrapper.pid,
    ended: wrapper.closed.then(() => 0),
    shown: {
      logIn: () => memory.logIn(),
      personInFocus: async () => personInFocus()?.customId,
      async waitForPerson(id) {
        await eventually(`${id} in focus`, () => personInFocus()?.customId === id)
      },
      waitForSearch: text => waitForCall('queryExercises', text),
      waitForWorkout: id => waitForCall('openWorkout', id),
      async waitForNotice(text) {
        await eventually('The notice', () => wrapper.window.notice?.text.includes(text))
      },
      async giveWorkout() {
        const { workouts } = await answerOf(api.workouts.$get({ query: {} }))
        const param = { id: String(workouts[0]?.id) }
        const json = { personId: personInFocus()?.userId ?? 0, key: crypto.randomUUID() }
        await answerOf(api.workouts[':id'].give.$post({ param, json }))
      },
    },
  }
}
