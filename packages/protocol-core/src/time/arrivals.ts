import { assertParameter } from '../errors/parameter-error.ts'
import { Deadline, milliseconds } from './deadline.ts'

/** Bounds of a wait. */
export interface WaitOptions {
  /** Longest wait, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Everything that arrived, in order. {@link next} gives each entry out once. */
export class Arrivals<Entry extends object> {
  readonly #entries: Entry[] = []
  readonly #waiting = new Set<Waiting<Entry>>()
  #nextIndex = 0
  #end: Error | undefined

  /** A copy of all entries, also of those that were given out. */
  get all(): readonly Entry[] {
    return [...this.#entries]
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
    const [waiting] = this.#waiting
    if (!waiting) return
    this.#waiting.delete(waiting)
    this.#nextIndex += 1
    waiting.resolve(entry)
  }

  /** Ends present and later waits with this error. Entries that are there are still given out. */
  end(reason: Error): void {
    this.#end ??= reason
    for (const { reject } of this.#waiting) reject(this.#end)
    this.#waiting.clear()
  }

  /**
   * Returns the first entry that it has not returned before, or waits for it.
   *
   * @throws {ParameterError} if an option is of another type or not known
   * @throws what `timeoutError` makes, the signal's reason, or the reason of {@link end}
   */
  async next(options: WaitOptions, timeoutError: (waitedMs: number) => Error): Promise<Entry> {
    assertParameter('options', options, 'closed', { timeoutMs: milliseconds, signal: 'signal?' })
    const { timeoutMs = 10_000, signal } = options
    signal?.throwIfAborted()
    const present = this.#entries[this.#nextIndex]
    if (present) {
      this.#nextIndex += 1
      return present
    }
    if (this.#end) throw this.#end
    const deadline = new Deadline(timeoutMs, signal)
    const waiting: Waiting<Entry> = { resolve: () => undefined, reject: () => undefined }
    const arrival = new Promise<Entry>((resolve, reject) => Object.assign(waiting, { resolve, reject }))
    this.#waiting.add(waiting)
    try {
      return await deadline.waitFor(arrival, () => timeoutError(timeoutMs))
    } finally {
      this.#waiting.delete(waiting)
    }
  }
}

interface Waiting<Entry> {
  readonly resolve: (entry: Entry) => void
  readonly reject: (reason: Error) => void
}
