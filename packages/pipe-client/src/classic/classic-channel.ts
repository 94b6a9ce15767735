import type { SessionEvent } from '@service-link/protocol-core'
import {
  bringsToFront,
  type ClassicCommandName,
  isClassicCommandName,
  readClassicReply,
  type SessionCallName,
  type SessionResult,
  writeClassicRequest,
} from '@service-link/protocol-core'
import { type Brand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { encodeFrame, maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import { type Deadline, type LimitingSignal, pause } from '@service-link/protocol-core/time'
import {
  asNotSent,
  asOfCall,
  assertNewEnough,
  type CallArgs,
  type Channel,
  type FoundWrapper,
} from '../connection/channel.ts'
import { keepConnecting } from '../connection/keep-connecting.ts'
import {
  PipeClosedError,
  PipeReplyError,
  PipeTimeoutError,
  PipeUnsupportedError,
  refusalOf,
} from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import { grantForeground } from '../running/grant-foreground.ts'
import { isAlive } from '../running/wrapper-record.ts'
import { type ClassicPipe, exchange } from './exchange.ts'

/** Longest time, in milliseconds, from the end of a dying process's pipe to the end of the process. */
const dyingMs = 100

/**
 * Opens the classic mode of a process: its pipe `servicepipe.<pid>`. Checks the owner of the pipe where the operating
 * system tells it.
 */
export async function openClassicChannel(brand: Brand, pid: number, deadline: Deadline): Promise<Channel> {
  const address = pipeAddress(brand, pid, process.platform, unixPipeFolder(process.env))
  const channel = new ClassicChannel({ pid, address })
  const version = await channel.request('version', undefined, deadline).catch(error => {
    throw asNotSent(error, 'The wrapper did not tell its version')
  })
  assertNewEnough(version)
  return channel
}

/** A call from its beginning to its reply. */
interface ClassicCall {
  readonly name: ClassicCommandName
  readonly limit: LimitingSignal
  /** Whether the wrapper may have taken the command. */
  wasSent: boolean
}

/** The classic mode of the pipe: one connection a call. */
export class ClassicChannel implements Channel {
  readonly mode = 'classic'
  readonly wrapper: FoundWrapper
  readonly #pipe: ClassicPipe
  readonly #calls = new Set<ClassicCall>()
  #isClosed = false

  constructor(wrapper: FoundWrapper) {
    this.wrapper = wrapper
    this.#pipe = { address: wrapper.address }
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  /**
   * Has the wrapper carry out one command over one connection. Tries again if there was no connection, or the wrapper
   * dropped it with the request unread. Never sends a request twice that the wrapper may have read.
   */
  async request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    deadline: Deadline,
  ): Promise<SessionResult<Name>> {
    if (!isClassicCommandName(name)) throw new PipeUnsupportedError(name)
    if (bringsToFront(name)) grantForeground(this.wrapper)
    const frame = encodeFrame(writeClassicRequest(name, args), { maxFrameBytes: maxRequestFrameBytes })
    const limit = deadline.limit(
      () => new PipeTimeoutError(deadline.timeoutMs, call.wasSent, undefined, name),
    )
    const call: ClassicCall = { name, limit, wasSent: false }
    this.#calls.add(call)
    const attempt = () => {
      call.wasSent = false
      const onSent = () => {
        call.wasSent = true
      }
      return exchange(this.#pipe, frame, limit.signal, onSent, name)
    }
    try {
      const { pid } = this.wrapper
      const { body } = await keepConnecting(pid, deadline, attempt, limit.signal)
      const outcome = readReply(name, body)
      if (outcome.isFailure) throw refusalOf(name, outcome.failure.code, outcome.failure.error)
      if (!body && name !== 'close') await assertNotDied(pid, limit.signal)
      return outcome.result as SessionResult<Name>
    } catch (error) {
      throw asOfCall(error, name)
    } finally {
      limit[Symbol.dispose]()
      this.#calls.delete(call)
    }
  }

  openEvents(): AsyncIterator<SessionEvent, undefined> {
    const next = async () => {
      throw new PipeUnsupportedError('events')
    }
    return { next }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { name, limit, wasSent } of this.#calls)
      limit.abort(new PipeClosedError(wasSent, undefined, 'disconnected', name))
  }
}

function readReply<Name extends ClassicCommandName>(name: Name, body: Uint8Array | undefined) {
  try {
    return readClassicReply(name, body)
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw body ? new PipeReplyError(error.message) : new PipeClosedError(true)
  }
}

/** On Windows an end of the connection may be the end of the wrapper, with the request unread. Waits a moment to tell. */
async function assertNotDied(pid: number, signal: AbortSignal): Promise<void> {
  if (currentPlatform.tellsUnread) return
  await pause(dyingMs, signal)
  if (!isAlive(pid)) throw new PipeClosedError(true)
}
