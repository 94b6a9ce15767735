import type { SessionCallName, SessionEvent, SessionResult } from '@service-link/protocol-core'
import { isClassic } from '../classic/classic-channel.ts'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs, Channel, EventChoice } from '../connection/channel.ts'
import { missingTurn } from '../connection/slots.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { PipeClosedError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { isCommand } from '../session/call.ts'
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
 * again before a call that needs the session mode, and not more often than every 30 seconds when it is silent again; what the
 * classic mode has goes on meanwhile. An answer is final. When it brings the session mode, commands wait until all that were called
 * before them in the classic mode have ended, so that none overtakes another.
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
  #classicCount = 0
  readonly #classicEnd = Promise.withResolvers<void>()
  #waitingCount = 0

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
    if (this.#session) return this.#requestInTurn(this.#session, name, args, bounds)
    return isClassic(name) ? this.#requestClassic(name, args, bounds) : this.#requestLater(name, args, bounds)
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

  async #requestClassic<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    this.#classicCount++
    try {
      return await this.#classic.request(name, args, bounds)
    } finally {
      this.#classicCount--
      this.#noteClassicEnd()
    }
  }

  /** In the session mode, after what was called before it. */
  async #requestInTurn<Name extends SessionCallName>(
    session: Channel,
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    // Those that wait go on a moment after the last one has ended.
    const isBehind = this.#classicCount > 0 || this.#waitingCount > 0
    if (!isBehind || !isCommand(name)) return session.request(name, args, bounds)
    const startedAt = performance.now()
    const timeoutMs = boundTimeout(bounds.timeoutMs)
    this.#waitingCount++
    try {
      await awaitWithin(this.#classicEnd.promise, { ...bounds, timeoutMs }, missingTurn)
      const spentMs = bounds.spentMs + performance.now() - startedAt
      // Not awaited here: its turn has come.
      return session.request(name, args, { ...bounds, spentMs })
    } finally {
      this.#waitingCount--
    }
  }

  #noteClassicEnd(): void {
    if (this.#session && this.#classicCount === 0) this.#classicEnd.resolve()
  }

  async #requestLater<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    const startedAt = performance.now()
    const timeoutMs = boundTimeout(bounds.timeoutMs)
    const session = await this.open({ ...bounds, timeoutMs }, name)
    const spentMs = bounds.spentMs + performance.now() - startedAt
    return this.#requestInTurn(session, name, args, { ...bounds, spentMs })
  }

  /** Goes on when nobody waits any more: the answer is for all. */
  async #ask(): Promise<Channel | undefined> {
    try {
      const signal = this.#closed.signal
      const outcome = await this.#openSession({ timeoutMs: askMs, spentMs: 0, signal })
      if (typeof outcome === 'object') {
        this.#session = outcome.channel
        this.#noteClassicEnd()
      } else if (outcome === 'classic') this.#isClassicForGood = true
      else this.#silentUntilMs = performance.now() + silenceMs
      return this.#session
    } finally {
      this.#asking = undefined
    }
  }
}
