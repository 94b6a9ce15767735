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
import { isAlive } from '../connection/is-alive.ts'
import { Slots } from '../connection/slots.ts'
import { PipeClosedError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { requestClassic } from './request-classic.ts'

/** Most connections at a time, of which an older wrapper may well serve one after the other. */
const defaultMaxInFlight = 8

/** The classic mode: a connection for each call, of which a bounded number is open at a time. */
export class ClassicChannel implements Channel {
  readonly mode = 'classic'
  readonly wrapper: ListedPipe
  readonly #slots: Slots
  readonly #closed = new AbortController()

  /** @param maxInFlight most connections at a time. Default 8 */
  constructor(wrapper: ListedPipe, maxInFlight = defaultMaxInFlight) {
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
    const startedAt = performance.now()
    const closed = this.#closed.signal
    const signal = bounds.signal ? AbortSignal.any([bounds.signal, closed]) : closed
    let isInFlight = false
    try {
      await this.#slots.take({ ...bounds, signal })
      isInFlight = true
      const spentMs = bounds.spentMs + performance.now() - startedAt
      return (await requestClassic(this.wrapper, name, args, {
        ...bounds,
        spentMs,
        signal,
      })) as SessionResult<Name>
    } catch (error) {
      if (error !== closed.reason) throw error
      throw new PipeClosedError(isInFlight)
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

function isClassic(name: SessionCallName): name is ClassicCommandName {
  return commandNames.some(known => known === name && isClassicCommandName(known))
}
