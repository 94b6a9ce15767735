import { eventually } from '@service-link/test-kit/waits'
import { startMemoryWindow } from '../demo/memory-window.ts'
import type { WrapperStage } from './browser-wrapper.ts'
import type { WrapperPlace } from './wrapper-stage.ts'

/** Starts a wrapper whose page is in memory: the page is known by what the wrapper asked of it. */
export async function startMemoryWrapper(
  place: WrapperPlace,
  resources: AsyncDisposableStack,
  argv: readonly string[],
): Promise<WrapperStage> {
  const { root, data } = place.folders
  const folders = { applicationRoot: root, userFolder: data }
  const { wrapper, personInFocus } = resources.use(await startMemoryWindow({ folders, argv }))
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
      logIn: async () => wrapper.signIn(),
      personInFocus: async () => personInFocus()?.customId,
      async waitForPerson(id) {
        await eventually(`${id} in focus`, () => personInFocus()?.customId === id)
      },
      waitForSearch: text => waitForCall('queryExercises', text),
      waitForWorkout: id => waitForCall('openWorkout', id),
      // The web app in memory has given one to everybody.
      giveWorkout: async () => undefined,
    },
  }
}
