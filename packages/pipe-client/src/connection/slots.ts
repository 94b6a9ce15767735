import { awaitWithin } from './await-within.ts'
import type { CallBounds } from './call-bounds.ts'

/** What a {@link PipeTimeoutError} says of a call that was not sent because others were before it. */
export const missingTurn = 'The call was not sent, because it waited for others: its turn did not come'

/** Lets a bounded number in at a time; the others wait, in order. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  /** @param count most that are in at a time, 1 or more */
  constructor(count: number) {
    this.#free = count
  }

  /**
   * Takes a slot, which is to be given back by {@link release}.
   *
   * @throws {PipeTimeoutError} when the time is over, or the signal's reason when it is aborted; then no slot is taken
   */
  async take(bounds: CallBounds): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    let enter = () => {}
    const turn = new Promise<void>(resolve => {
      enter = resolve
    })
    this.#waiting.add(enter)
    try {
      await awaitWithin(turn, bounds, missingTurn)
    } catch (error) {
      // Not waiting any more: the turn came in the same moment, and goes to the next.
      if (!this.#waiting.delete(enter)) this.release()
      throw error
    }
  }

  release(): void {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next()
    } else this.#free++
  }
}
