import { compareVersions, formatVersion, minimumPipeVersion, parseVersion } from '@service-link/protocol-core'
import { type Brand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { ClassicChannel } from '../classic/classic-channel.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { Channel } from '../connection/channel.ts'
import { PipeClosedError, PipeReplyError, PipeTimeoutError, PipeTooOldError } from '../errors/pipe-error.ts'
import type { WrapperRecord } from '../running/wrapper-record.ts'
import { openSession } from '../session/open-session.ts'

const missingVersion = 'The wrapper did not tell its version'

/** How a channel to a wrapper is opened. */
export interface OpenChannelOptions {
  readonly maxInFlight: number | undefined
  /** For the channel's own requests later on, in milliseconds. */
  readonly timeoutMs: number
  /** Whether another channel is opened when this one is lost. */
  readonly reconnect: boolean
}

/**
 * Opens the session with a wrapper, on the connection on which it has proven itself.
 *
 * @throws {PipeTooOldError} when the wrapper is older than 2.1.4.19787 (specification 8)
 * @throws {PipeReplyError} when it tells a version that is none
 * @throws whatever {@link openSession} throws
 */
export async function openSessionChannel(
  record: WrapperRecord,
  options: OpenChannelOptions,
  bounds: CallBounds,
): Promise<Channel> {
  const { channel, hello } = await openSession(record, options, bounds)
  return withVersion(channel, async () => hello.version)
}

/**
 * Opens the classic mode of a process: its pipe `servicepipe.<pid>`, whose owner is checked where the operating system tells.
 *
 * @throws as {@link openSessionChannel} does
 */
export async function openClassicChannel(
  brand: Brand,
  pid: number,
  options: OpenChannelOptions,
  bounds: CallBounds,
): Promise<Channel> {
  const address = pipeAddress(brand, pid, process.platform, unixPipeFolder(process.env))
  const channel = new ClassicChannel({ pid, address }, options)
  return withVersion(channel, () => askVersion(channel, bounds))
}

async function withVersion(channel: Channel, tellVersion: () => Promise<string>): Promise<Channel> {
  try {
    assertNewEnough(await tellVersion())
    return channel
  } catch (error) {
    await channel.close()
    throw error
  }
}

/** A call that waits for the channel was not sent, whatever came of the question for the version. */
async function askVersion(channel: Channel, bounds: CallBounds): Promise<string> {
  try {
    return await channel.request('version', undefined, bounds)
  } catch (error) {
    if (error instanceof PipeTimeoutError) throw new PipeTimeoutError(error.waitedMs, false, missingVersion)
    if (error instanceof PipeClosedError && error.wasSent) throw new PipeClosedError(false, error.systemCode)
    if (error instanceof PipeReplyError) throw new PipeReplyError(error.message, false)
    throw error
  }
}

function assertNewEnough(text: string): void {
  const version = readVersion(text)
  if (compareVersions(version, minimumPipeVersion) < 0)
    throw new PipeTooOldError(formatVersion(version), formatVersion(minimumPipeVersion))
}

function readVersion(text: string) {
  try {
    return parseVersion(text)
  } catch {
    throw new PipeReplyError('The wrapper told a version that is not four numbers.', false)
  }
}
