import type { HelloReply } from '@service-link/protocol-core'
import { sessionProtocol } from '@service-link/protocol-core/pipe'
import type { Deadline } from '@service-link/protocol-core/time'
import { assertNewEnough, type Channel } from '../connection/channel.ts'
import { keepConnecting, type NoConnection } from '../connection/keep-connecting.ts'
import {
  PipeClosedError,
  PipeDeniedError,
  PipeReplyError,
  PipeTimeoutError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import { foundOf } from '../find/find-wrappers.ts'
import { connectProven, type ProvenConnection } from '../running/connect-proven.ts'
import type { WrapperRecord } from '../running/wrapper-record.ts'
import { SessionChannel, type SessionOptions } from './session-channel.ts'

/** Longest wait, in milliseconds, for the proof and for the answer to `hello`. A wrapper answers both at once. */
const helloTimeoutMs = 10_000

/** Commands that a wrapper takes at a time if it does not say, as the protocol says. */
const defaultMaxInFlight = 64

/** Options of {@link openSession}. */
interface OpenSessionOptions extends Omit<SessionOptions, 'maxInFlight'> {
  /** Most commands that the wrapper has at a time. The wrapper may take fewer. Default 64. */
  readonly maxInFlight: number | undefined
}

/** Connects to the wrapper of a record, has it prove itself, and begins the session mode on the same connection. */
export async function openSession(
  record: WrapperRecord,
  { maxInFlight = defaultMaxInFlight, ...options }: OpenSessionOptions,
  deadline: Deadline,
): Promise<Channel> {
  const attempt = () => attemptProven(record, deadline)
  const { socket, readWith } = await keepConnecting(record.pid, deadline, attempt).catch(asNotSent)
  const channel = new SessionChannel(socket, foundOf(record), { ...options, maxInFlight })
  readWith(channel.receive)
  try {
    const { protocol, version, maxinflight } = await sayHello(channel, deadline)
    if (protocol !== sessionProtocol) throw new PipeUnsupportedError('The session mode', protocol)
    assertNewEnough(version)
    channel.limitInFlight(maxinflight ?? defaultMaxInFlight)
    return channel
  } catch (error) {
    await channel.close()
    throw error
  }
}

/** Connecting sends no command, whatever its error says. */
function asNotSent(error: unknown): never {
  throw error instanceof PipeClosedError ? new PipeClosedError(false, error.systemCode) : error
}

async function attemptProven(
  record: WrapperRecord,
  deadline: Deadline,
): Promise<NoConnection | ({ readonly isConnected: true } & ProvenConnection)> {
  const waitedMs = waitedMsOf(deadline)
  const outcome = await connectProven(record, deadline.atMost(helloTimeoutMs))
  if ('socket' in outcome) return { isConnected: true, ...outcome }
  switch (outcome.failure) {
    case 'unproven':
      throw new PipeUnprovenError(record.pid)
    case 'denied':
      throw new PipeDeniedError('The operating system does not let this user write to the wrapper.')
    case 'silent':
      throw new PipeTimeoutError(waitedMs, false, 'The wrapper did not prove itself')
    case 'absent':
      return { isConnected: false, systemCode: 'ENOENT' }
    case 'dropped':
      return { isConnected: false, systemCode: outcome.systemCode ?? 'ECONNRESET' }
  }
}

async function sayHello(channel: SessionChannel, deadline: Deadline): Promise<HelloReply> {
  const waitedMs = waitedMsOf(deadline)
  try {
    return await channel.request('hello', undefined, deadline.atMost(helloTimeoutMs))
  } catch (error) {
    if (error instanceof PipeTimeoutError)
      throw new PipeTimeoutError(waitedMs, false, 'The wrapper did not answer the greeting')
    if (error instanceof PipeReplyError) throw new PipeReplyError(error.message, false)
    return asNotSent(error)
  }
}

/** The limit that an error names: the one of this step, or the one that the caller gave. */
function waitedMsOf(deadline: Deadline): number {
  return deadline.leftMs > helloTimeoutMs ? helloTimeoutMs : deadline.timeoutMs
}
