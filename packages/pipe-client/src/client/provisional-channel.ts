import type { SessionCallName, SessionEvent, SessionResult } from '@service-link/protocol-core'
import { isClassic } from '../classic/classic-channel.ts'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs, Channel, EventChoice } from '../connection/channel.ts'
import { PipeClosedError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import type { OpenSessionOutcome } from '../session/open-session.ts'
import { LaterEvents } from './later-events.ts'

/** Opens the session mode, if the wrapper has it by now. */
export type OpenSession = (bounds: CallBounds) => Promise<OpenSessionOutcome>

/** Longest time, in milliseconds, for asking again: for the connection, and for the answer. */
const askMs = 10_000

/** Shortest time, in milliseconds, between two questions that the wrapper did not answer. */
const silenceMs = 30_000

/**
 * The classic mode of a wrapper that did not answer the question for the session mode: an older one, or one that was slow. It is asked
 * again before a call that needs the session mode, and not more often than every 30 seconds when it is silent again. What the
 * classic mode has never waits for that. An answer is final.
 */
export class ProvisionalChannel implements Channel {
  readonly #classic: Channel
  readonly #openSession: OpenSession
  readonly #timeoutMs: number
  readonly #closed = new AbortController()
  #session: Channel | undefined
  #isClassicForGood = false
  #asking: Promise<Channel | undefined> | undefined
  #silentUntilMs = 0

  /** @param timeoutMs for beginning to listen, in milliseconds */
  constructor(classic: Channel, openSession: OpenSession, timeoutMs: number) {
    this.#classic = classic
    this.#openSession = openSession
    this.#timeoutMs = timeoutMs
  }

  get mode(): 'session' | 'classic' {
    return this.#session ? 'session' : 'classic'
  }

  get wrapper(): ListedPipe {
    return this.#classic.wrapper
  }

  get isOpen(): boolean {
    return (this.#session ?? this.#classic).isOpen
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted
  }

  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    if (this.#session || isClassic(name)) return (this.#session ?? this.#classic).request(name, args, bounds)
    return this.#requestLater(name, args, bounds)
  }

  openEvents(choice: EventChoice): AsyncIterator<SessionEvent, undefined> {
    return this.#session?.openEvents(choice) ?? new LaterEvents(this, choice, this.#timeoutMs)
  }

  /**
   * Waits for the session mode.
   *
   * @param what needs it, as the subject of a sentence
   * @throws {PipeUnsupportedError} when the wrapper has none, or is silent again
   * @throws the signal's reason when it is aborted; aborted already, the wrapper is not asked
   * @throws whatever connecting throws
   */
  async open(bounds: CallBounds, what = 'events'): Promise<Channel> {
    bounds.signal?.throwIfAborted()
    if (this.isClosed) throw new PipeClosedError(false, undefined, true)
    const isDue = !this.#isClassicForGood && performance.now() >= this.#silentUntilMs
    if (isDue) this.#asking ??= this.#ask()
    const session = this.#session ?? (this.#asking && (await awaitWithin(this.#asking, bounds)))
    if (session) return session
    throw new PipeUnsupportedError(what, this.#isClassicForGood)
  }

  async close(): Promise<void> {
    this.#closed.abort(new PipeClosedError(false, undefined, true))
    await this.#asking?.catch(() => undefined)
    await this.#session?.close()
    await this.#classic.close()
  }

  async #requestLater<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    const startedAt = performance.now()
    const session = await this.open(bounds, name)
    return session.request(name, args, { ...bounds, spentMs: bounds.spentMs + performance.now() - startedAt })
  }

  /** Goes on when nobody waits any more: the answer is for all. */
  async #ask(): Promise<Channel | undefined> {
    try {
      const signal = this.#closed.signal
      const outcome = await this.#openSession({ timeoutMs: askMs, spentMs: 0, signal })
      if (typeof outcome === 'object') this.#session = outcome.channel
      else if (outcome === 'classic') this.#isClassicForGood = true
      else this.#silentUntilMs = performance.now() + silenceMs
      return this.#session
    } finally {
      this.#asking = undefined
    }
  }
}
