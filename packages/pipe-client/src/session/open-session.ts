import type { HelloReply } from '@service-link/protocol-core'
import { sessionProtocol } from '@service-link/protocol-core'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import { connectSocket } from '../connection/connect-socket.ts'
import { keepConnecting } from '../connection/keep-connecting.ts'
import {
  PipeClosedError,
  PipeDeniedError,
  PipeError,
  PipeRefusedError,
  PipeTimeoutError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { missingKey, type WrapperChallenge } from './challenge-wrapper.ts'
import { SessionChannel } from './session-channel.ts'
import { SessionConnection } from './session-connection.ts'

/** Longest wait, in milliseconds, for the answer to `hello`: a wrapper that knows it answers at once. */
const helloTimeoutMs = 5_000

/** The same, where the answer has to have a proof: there is no other mode to pass to. */
const proofTimeoutMs = 10_000

/** What a wrapper takes at a time that does not tell, as the protocol says. */
const defaultMaxInFlight = 64

/** In place of what somebody says who has not proven to be a wrapper. */
const unprovenRefusal = 'The greeting was refused for now.'

/** How a session is opened. */
export interface OpenSessionOptions {
  /** Most calls that are with the wrapper at a time; the wrapper may take fewer. Default 64. */
  readonly maxInFlight: number | undefined
  /** For the connection's own requests, in milliseconds. */
  readonly timeoutMs: number
  /** Whether another is opened when this one is lost. */
  readonly reconnect: boolean
  /** What has to be met before anything but `hello` is sent. */
  readonly challenge: WrapperChallenge | undefined
}

/** What came of {@link openSession}; with a challenge, a session only. */
export type OpenSessionOutcome =
  | { readonly channel: SessionChannel; readonly hello: HelloReply }
  /** The wrapper has the classic mode alone: it refused `hello`, or answered otherwise than a session does. */
  | 'classic'
  /** The wrapper did not answer `hello`, or ended the connection; it may be an older one, or a busy one. */
  | 'unanswered'

/**
 * Opens a connection in session mode, which begins with `hello`.
 *
 * @throws {PipeRefusedError} when the wrapper has the mode, and no room or time for another client
 * @throws {PipeDeniedError} when what answers says that it is another process than the wrapper that is meant
 * @throws {PipeUnprovenError} when it answers and does not meet the challenge
 * @throws {PipeUnsupportedError} when it meets the challenge, and speaks another version of the session mode
 * @throws {PipeTimeoutError} when the time is over, with a challenge also when there was no answer within 10 seconds
 * @throws {PipeClosedError} with a challenge, when the connection ended without an answer
 * @throws whatever connecting throws, see {@link keepConnecting}
 */
export async function openSession(
  wrapper: ListedPipe,
  options: OpenSessionOptions,
  bounds: CallBounds,
): Promise<OpenSessionOutcome> {
  const startedAt = performance.now()
  let receive = (_bytes: Uint8Array) => {}
  const { socket } = await keepConnecting(wrapper, bounds, attempt =>
    connectSocket(wrapper.address, bytes => receive(bytes), attempt),
  ).catch(error => {
    // Connecting alone sends nothing.
    const isUntrue = error instanceof PipeClosedError && error.wasSent
    throw isUntrue ? new PipeClosedError(false, error.systemCode) : error
  })
  const channel = new SessionChannel(wrapper, options.timeoutMs, listener => {
    const { maxInFlight = defaultMaxInFlight, reconnect } = options
    const connection = new SessionConnection(socket, { maxInFlight, isOnly: !reconnect }, listener)
    receive = bytes => connection.receive(bytes)
    return connection
  })
  const { challenge } = options
  const hello = await sayHello(channel, challenge, bounds, performance.now() - startedAt)
  if (typeof hello === 'string' || (!challenge && hello.protocol !== sessionProtocol)) {
    await channel.close()
    if (challenge) throw new PipeUnprovenError(wrapper.pid)
    return typeof hello === 'string' ? hello : 'classic'
  }
  if (hello.pid !== wrapper.pid) {
    await channel.close()
    throw new PipeDeniedError(
      `Process ${hello.pid} answers on the pipe of process ${wrapper.pid}: something else answers in its name. No command was sent to it.`,
    )
  }
  if (challenge) {
    const spentMs = bounds.spentMs + performance.now() - startedAt
    await assertMet(challenge, hello, channel, { ...bounds, spentMs })
  }
  channel.limitInFlight(hello.maxinflight ?? defaultMaxInFlight)
  return { channel, hello }
}

async function assertMet(
  challenge: WrapperChallenge,
  hello: HelloReply,
  channel: SessionChannel,
  bounds: CallBounds,
): Promise<void> {
  let isMet = false
  try {
    isMet = await awaitWithin(challenge.isMetBy(hello, channel.wrapper.pid), bounds, missingKey)
  } finally {
    if (!isMet) await channel.close()
  }
  if (!isMet) throw new PipeUnprovenError(channel.wrapper.pid)
  if (hello.protocol === sessionProtocol) return
  await channel.close()
  throw new PipeUnsupportedError('The session mode', true, hello.protocol)
}

async function sayHello(
  channel: SessionChannel,
  challenge: WrapperChallenge | undefined,
  { timeoutMs, spentMs: earlierMs, signal }: CallBounds,
  connectingMs: number,
): Promise<HelloReply | 'classic' | 'unanswered'> {
  const spentMs = earlierMs + connectingMs
  const leftMs = Math.max(0, timeoutMs - spentMs)
  const longestMs = challenge ? proofTimeoutMs : helloTimeoutMs
  const unprovenPid = challenge && channel.wrapper.pid
  try {
    const args = challenge && { challenge: challenge.text }
    return await channel.request('hello', args, {
      timeoutMs: Math.min(leftMs, longestMs),
      spentMs: 0,
      signal,
    })
  } catch (error) {
    void channel.close()
    // Aborted, or an error of this program.
    if (signal?.aborted || !(error instanceof PipeError)) throw error
    if (error instanceof PipeTimeoutError && (challenge || leftMs <= longestMs)) {
      const waitedMs = leftMs <= longestMs ? timeoutMs : longestMs
      throw new PipeTimeoutError(waitedMs, false, 'The wrapper did not answer the greeting', unprovenPid)
    }
    if (error instanceof PipeRefusedError && isPassing(error))
      throw challenge ? new PipeRefusedError(error.commandCode, unprovenRefusal, unprovenPid) : error
    if (challenge && error instanceof PipeClosedError)
      throw new PipeClosedError(false, error.systemCode, false, unprovenPid)
    const isAnswer = !(error instanceof PipeTimeoutError || error instanceof PipeClosedError)
    return isAnswer ? 'classic' : 'unanswered'
  }
}

function isPassing({ commandCode }: PipeRefusedError): boolean {
  return commandCode === 'ERR_BUSY' || commandCode === 'ERR_CLOSING'
}
