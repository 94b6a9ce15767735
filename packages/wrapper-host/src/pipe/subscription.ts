import type { SessionEvent, SessionEventName } from '@service-link/protocol-core'
import type { SessionSource } from './session-source.ts'

/** The events that one connection has asked for. */
export class Subscription implements Disposable {
  readonly #source: SessionSource
  readonly #tell: (event: SessionEvent) => void
  #names: ReadonlySet<SessionEventName> = new Set()
  #stop: (() => void) | undefined

  constructor(source: SessionSource, tell: (event: SessionEvent) => void) {
    this.#source = source
    this.#tell = tell
  }

  /** Chooses events, in place of those chosen before; none ends the subscription. */
  choose(names: readonly SessionEventName[]): void {
    this.#names = new Set(names)
    if (names.length === 0) this[Symbol.dispose]()
    else this.#stop ??= this.#source.on(event => this.#names.has(event.event) && this.#tell(event))
  }

  [Symbol.dispose](): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
