// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import type { EngineEvents, EngineWindow } from '../../../packages/window-engine/src/engine.ts'

/** Longest wait for a required event, in milliseconds. */
const eventMs = 20_000

/** Resolves with a window's next matching event; rejects when none comes in time. */
export function nextEvent<Name extends keyof EngineEvents>(
  window: Pick<EngineWindow, 'on'>,
  name: Name,
  matches: (event: EngineEvents[Name]) => boolean = () => true,
): Promise<EngineEvents[Name]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`No event ${name}.`))), eventMs)
    const stop = window.on(name, event => {
      if (matches(event)) finish(() => resolve(event))
    })
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      stop()
      settle()
    }
  })
}
