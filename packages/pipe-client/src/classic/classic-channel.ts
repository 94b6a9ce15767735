import {
  type ClassicCommandName,
  commandNames,
  isClassicCommandName,
  type SessionCallName,
  type SessionEvent,
  type SessionResult,
} from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs, Channel } from '../connection/channel.ts'
import { eitherSignal } from '../connection/either-signal.ts'
import { Slots } from '../connection/slots.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { PipeClosedError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { isAlive } from '../running/wrapper-record.ts'
import { requestClassic } from './request-classic.ts'

/** Most connections at a time, of which an older wrapper may well serve one after the other. */
const defaultMaxInFlight = 8

/** How a {@link ClassicChannel} is used. */
export interface ClassicChannelOptions {
  readonly maxInFlight?: number | undefined
  readonly reconnect: boolean
}

/** The classic mode: a connection for each call, of which a bounded number is open at a time. */
export class ClassicChannel implements Channel {
  readonly mode = 'classic'
  readonly wrapper: ListedPipe
  readonly #slots: Slots
  readonly #closed = new AbortController()

  /**
   * @param options `maxInFlight` most connections at a time, default 8; `reconnect` whether another channel is opened when this one
   *   is lost
   */
  constructor(wrapper: ListedPipe, options: ClassicChannelOptions) {
    const { maxInFlight = defaultMaxInFlight } = options
    this.wrapper = wrapper
    this.#slots = new Slots(maxInFlight)
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted && isAlive(this.wrapper.pid)
  }

  async request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>> {
    if (!isClassic(name)) throw new PipeUnsupportedError(name)
    const closed = this.#closed.signal
    if (!bounds.signal) return this.#exchange(name as ClassicCommandName, args, bounds, closed)
    using either = eitherSignal(bounds.signal, closed)
    return await this.#exchange(name as ClassicCommandName, args, bounds, either.signal)
  }

  async #exchange<Name extends SessionCallName>(
    name: ClassicCommandName,
    args: CallArgs | undefined,
    bounds: CallBounds,
    signal: AbortSignal,
  ): Promise<SessionResult<Name>> {
    const startedAt = performance.now()
    const timeoutMs = boundTimeout(bounds.timeoutMs)
    let isInFlight = false
    try {
      await this.#slots.take({ ...bounds, timeoutMs, signal })
      isInFlight = true
      const spentMs = bounds.spentMs + performance.now() - startedAt
      const options = { timeoutMs, spentMs, signal }
      return (await requestClassic(this.wrapper, name, args, options)) as SessionResult<Name>
    } catch (error) {
      if (error !== this.#closed.signal.reason) throw error
      throw new PipeClosedError(isInFlight, undefined, true)
    } finally {
      if (isInFlight) this.#slots.release()
    }
  }

  openEvents(): AsyncIterator<SessionEvent, undefined> {
    const next = async () => {
      throw new PipeUnsupportedError('events')
    }
    return { next }
  }

  async close(): Promise<void> {
    this.#closed.abort()
  }
}

/** Whether the classic mode has what is called. */
function isClassic(name: SessionCallName): name is ClassicCommandName {
  return commandNames.some(known => known === name && isClassicCommandName(known))
}
