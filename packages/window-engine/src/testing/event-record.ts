import { AssertionError } from 'node:assert'
import type { EngineEvents, EngineWindow } from '../engine.ts'

const eventNames = [
  'message',
  'loaded',
  'unloading',
  'loadFailed',
  'pageCrashed',
  'closeVetoed',
  'appearanceChanged',
  'ownPageAction',
  'noticeAction',
  'closed',
] as const satisfies readonly (keyof EngineEvents)[]

/** An event of a window. */
type RecordedEvent = {
  [Name in keyof EngineEvents]: { readonly name: Name; readonly event: EngineEvents[Name] }
}[keyof EngineEvents]

/** Records the events of a window, so that a test can wait for one that has come already. */
export class EventRecord implements Disposable {
  readonly #events: RecordedEvent[] = []
  readonly #taken = new Set<RecordedEvent>()
  readonly #looks = new Set<() => void>()
  readonly #waitMs: number
  readonly #stops: readonly (() => void)[]

  /** @param waitMs longest wait of {@link next}, in milliseconds */
  constructor(window: Pick<EngineWindow, 'on'>, waitMs: number) {
    this.#waitMs = waitMs
    this.#stops = eventNames.map(name =>
      window.on(name, event => {
        this.#events.push({ name, event } as RecordedEvent)
        for (const look of this.#looks) look()
      }),
    )
  }

  /** The names of all events so far, in order. */
  get names(): readonly (keyof EngineEvents)[] {
    return this.#events.map(({ name }) => name)
  }

  /** Removes the first event of a name. */
  forgetFirst(name: keyof EngineEvents): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.#events.splice(index, 1)
  }

  /** Records no further events. */
  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }

  /**
   * Returns the first matching event that it has not returned before, or waits for it.
   *
   * @throws {AssertionError} when it does not come
   */
  next<Name extends keyof EngineEvents>(
    name: Name,
    matches: (event: EngineEvents[Name]) => boolean = () => true,
  ): Promise<EngineEvents[Name]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.#events.find(
          recorded =>
            recorded.name === name &&
            !this.#taken.has(recorded) &&
            matches(recorded.event as EngineEvents[Name]),
        )
        if (!found) return
        clearTimeout(timer)
        this.#looks.delete(look)
        this.#taken.add(found)
        resolve(found.event as EngineEvents[Name])
      }
      const timer = setTimeout(() => {
        this.#looks.delete(look)
        reject(
          new AssertionError({
            message: `No event ${name}; there were: ${this.names.join(', ') || 'none'}.`,
          }),
        )
      }, this.#waitMs)
      this.#looks.add(look)
      look()
    })
  }
}
