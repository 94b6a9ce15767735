import type { Socket } from 'node:net'
import { type HelloReply, sessionProtocol } from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { NoConnection } from '../connection/connect-socket.ts'
import { keepConnecting } from '../connection/keep-connecting.ts'
import {
  PipeClosedError,
  PipeDeniedError,
  PipeReplyError,
  PipeTimeoutError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import { foundOf } from '../find/find-wrappers.ts'
import { connectProven } from '../running/connect-proven.ts'
import type { WrapperRecord } from '../running/wrapper-record.ts'
import { SessionChannel } from './session-channel.ts'
import { SessionConnection } from './session-connection.ts'

/** Longest wait, in milliseconds, for the answer to `hello`: a wrapper answers at once. */
const helloTimeoutMs = 10_000

/** What a wrapper takes at a time that does not tell, as the protocol says. */
const defaultMaxInFlight = 64

const missingHello = 'The wrapper did not answer the greeting'

/** How a session is opened. */
export interface OpenSessionOptions {
  /** Most calls that are with the wrapper at a time; the wrapper may take fewer. Default 64. */
  readonly maxInFlight: number | undefined
  /** For the connection's own requests, in milliseconds. */
  readonly timeoutMs: number
  /** Whether another is opened when this one is lost. */
  readonly reconnect: boolean
}

/** A session, and the wrapper's greeting. */
export interface OpenedSession {
  readonly channel: SessionChannel
  readonly hello: HelloReply
}

/**
 * Connects to the wrapper of a record, has it prove itself, and begins the session mode on the same connection.
 *
 * @throws {PipeUnprovenError} when something else answers at its address; it got nothing but the first secret
 * @throws {PipeDeniedError} when this process may not write to it
 * @throws {PipeRefusedError} when the wrapper has no room or time for another client
 * @throws {PipeUnsupportedError} when it speaks another version of the session mode
 * @throws {PipeTimeoutError} when the time is over, or there was no answer within 10 seconds
 * @throws {PipeClosedError} when the connection ended without an answer
 * @throws whatever connecting throws, see {@link keepConnecting}
 */
export async function openSession(
  record: WrapperRecord,
  options: OpenSessionOptions,
  bounds: CallBounds,
): Promise<OpenedSession> {
  const startedAt = performance.now()
  let receive = (_bytes: Uint8Array) => {}
  const { socket } = await keepConnecting(record, bounds, attempt =>
    attemptProven(record, bytes => receive(bytes), attempt),
  ).catch(error => {
    // Connecting alone sends no command.
    const isUntrue = error instanceof PipeClosedError && error.wasSent
    throw isUntrue ? new PipeClosedError(false, error.systemCode) : error
  })
  const channel = new SessionChannel(foundOf(record), options.timeoutMs, listener => {
    const { maxInFlight = defaultMaxInFlight, reconnect } = options
    const connection = new SessionConnection(socket, { maxInFlight, isOnly: !reconnect }, listener)
    receive = bytes => connection.receive(bytes)
    return connection
  })
  try {
    const spentMs = bounds.spentMs + performance.now() - startedAt
    const hello = await sayHello(channel, { ...bounds, spentMs })
    if (hello.protocol !== sessionProtocol) throw new PipeUnsupportedError('The session mode', hello.protocol)
    channel.limitInFlight(hello.maxinflight ?? defaultMaxInFlight)
    return { channel, hello }
  } catch (error) {
    await channel.close()
    throw error
  }
}

async function attemptProven(
  record: WrapperRecord,
  onRead: (bytes: Uint8Array) => void,
  { timeoutMs, spentMs, signal }: CallBounds,
): Promise<NoConnection | { readonly isConnected: true; readonly socket: Socket }> {
  const leftMs = Math.max(0, timeoutMs - spentMs)
  const limitMs = Math.min(leftMs, helloTimeoutMs)
  const outcome = await connectProven(record, onRead, { timeoutMs: limitMs, signal })
  if ('socket' in outcome) return { isConnected: true, socket: outcome.socket }
  switch (outcome.failure) {
    case 'unproven':
      throw new PipeUnprovenError(record.pid)
    case 'denied':
      throw new PipeDeniedError('The operating system does not let this user write to the wrapper.')
    case 'silent':
      throw new PipeTimeoutError(
        limitMs < leftMs ? limitMs : timeoutMs,
        false,
        'The wrapper did not prove itself',
      )
    case 'absent':
      return { isConnected: false, systemCode: 'ENOENT' }
    case 'dropped':
      return { isConnected: false, systemCode: outcome.systemCode ?? 'ECONNRESET' }
  }
}

async function sayHello(
  channel: SessionChannel,
  { timeoutMs, spentMs, signal }: CallBounds,
): Promise<HelloReply> {
  const leftMs = Math.max(0, timeoutMs - spentMs)
  const limitMs = Math.min(leftMs, helloTimeoutMs)
  try {
    return await channel.request('hello', undefined, { timeoutMs: limitMs, spentMs: 0, signal })
  } catch (error) {
    if (error instanceof PipeTimeoutError)
      throw new PipeTimeoutError(limitMs < leftMs ? limitMs : timeoutMs, false, missingHello)
    if (error instanceof PipeClosedError) throw new PipeClosedError(false, error.systemCode)
    if (error instanceof PipeReplyError) throw new PipeReplyError(error.message, false)
    throw error
  }
}
