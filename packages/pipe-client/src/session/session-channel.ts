import type { SessionCallName, SessionEvent, SessionResult } from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs, Channel, EventChoice } from '../connection/channel.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { EventIterations } from './event-iterations.ts'
import type { SessionConnection, SessionListener } from './session-connection.ts'

/** The session mode: one connection for all calls and events. */
export class SessionChannel implements Channel {
  readonly mode = 'session'
  readonly wrapper: ListedPipe
  readonly #connection: SessionConnection
  readonly #iterations: EventIterations

  /**
   * @param timeoutMs for subscribing to events, in milliseconds
   * @param open makes the connection, which is then this channel's own
   */
  constructor(
    wrapper: ListedPipe,
    timeoutMs: number,
    open: (listener: SessionListener) => SessionConnection,
  ) {
    this.wrapper = wrapper
    this.#iterations = new EventIterations({
      subscribe: events =>
        this.request('subscribe', { events }, { timeoutMs, spentMs: 0, signal: undefined }),
      hold: () => this.#connection.hold(),
      release: () => this.#connection.release(),
    })
    this.#connection = open({
      onEvent: event => this.#iterations.deliver(event),
      onEnd: error => this.#iterations.end(error),
    })
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /** Lowers the bound on calls that are with the wrapper. */
  limitInFlight(maxInFlight: number): void {
    this.#connection.limitInFlight(maxInFlight)
  }

  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    return this.#connection.request(name, args, bounds)
  }

  openEvents(choice: EventChoice): AsyncIterator<SessionEvent, undefined> {
    return this.#iterations.open(choice)
  }

  async close(): Promise<void> {
    this.#iterations.end(undefined)
    await this.#connection.close()
  }
}
