import type { EngineWindow } from '@service-link/window-engine'

/** Follows which document is there, so that the one that a form led to can be told from the one before it. */
export class DocumentChange implements Disposable {
  readonly #stops: readonly (() => void)[]
  #isThere: boolean
  #hasArrived = false
  /** Whether the wait ends with an arrival; else with a departure. */
  #awaitsArrival = false
  #changed = Promise.withResolvers<void>()

  /** @param isThere whether there is a document at first */
  constructor(window: EngineWindow, isThere: boolean) {
    this.#isThere = isThere
    this.#stops = [
      window.on('loaded', () => this.#arrive()),
      window.on('message', () => this.#arrive()),
      window.on('unloading', () => this.#depart()),
    ]
  }

  /** Whether there was none, and one has come since {@link begin}. */
  get hasArrived(): boolean {
    return this.#hasArrived
  }

  /** What went before does not count. */
  begin(): void {
    this.#hasArrived = false
    this.#changed = Promise.withResolvers()
  }

  /** Until the document that is there has gone or, where none is, one has come. */
  next(): Promise<void> {
    this.#awaitsArrival = !this.#isThere
    return this.#changed.promise
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }

  #arrive(): void {
    this.#hasArrived ||= !this.#isThere
    this.#isThere = true
    if (this.#awaitsArrival) this.#changed.resolve()
  }

  #depart(): void {
    this.#isThere = false
    this.#changed.resolve()
  }
}
