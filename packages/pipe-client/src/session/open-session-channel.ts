import { sessionProtocol, type WrapperRecord } from '@service-link/protocol-core'
import type { Deadline } from '@service-link/protocol-core/time'
import { asNotSent, assertNewEnough, type Channel } from '../connection/channel.ts'
import { keepConnecting, type NoConnection } from '../connection/keep-connecting.ts'
import {
  PipeClosedError,
  PipeDeniedError,
  PipeTimeoutError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import { foundOf } from '../find/find-wrappers.ts'
import { connectProven, type ProvenConnection } from '../running/connect-proven.ts'
import { SessionChannel, type SessionOptions } from './session-channel.ts'

/** Longest wait, in milliseconds, for the proof and for the answer to `hello`. A wrapper answers both at once. */
const helloTimeoutMs = 10_000

/** Connects to the wrapper of a record, has it prove itself, and begins the session mode on the same connection. */
export async function openSessionChannel(
  record: WrapperRecord,
  options: SessionOptions,
  deadline: Deadline,
): Promise<Channel> {
  const attempt = () => attemptProven(record, deadline)
  const { socket, readWith } = await keepConnecting(record.pid, deadline, attempt).catch(error => {
    throw error instanceof PipeClosedError ? new PipeClosedError(false, error.systemCode) : error
  })
  const channel = new SessionChannel(socket, foundOf(record), options)
  readWith(channel.receive)
  try {
    const waitedMs = waitedMsOf(deadline)
    const hello = channel.request('hello', undefined, deadline.atMost(helloTimeoutMs))
    const { protocol, version, browserpid, maxinflight } = await hello.catch(error => {
      throw asNotSent(error, 'The wrapper did not answer the greeting', waitedMs)
    })
    if (protocol !== sessionProtocol) throw new PipeUnsupportedError('The session mode', protocol)
    assertNewEnough(version)
    if (maxinflight) channel.limitInFlight(maxinflight)
    channel.noteBrowser(browserpid)
    return channel
  } catch (error) {
    await channel.close()
    throw error
  }
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

/** The limit that an error names: the one of this step, or the one that the caller gave. */
function waitedMsOf(deadline: Deadline): number {
  return deadline.leftMs > helloTimeoutMs ? helloTimeoutMs : deadline.timeoutMs
}
