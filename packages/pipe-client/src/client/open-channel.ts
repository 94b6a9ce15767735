import { compareVersions, formatVersion, minimumPipeVersion, parseVersion } from '@service-link/protocol-core'
import type { Brand } from '@service-link/protocol-core/brand'
import { ClassicChannel } from '../classic/classic-channel.ts'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { Channel } from '../connection/channel.ts'
import { PipeClosedError, PipeReplyError, PipeTimeoutError, PipeTooOldError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { challengeWrapper, missingKey, watchForKey } from '../session/challenge-wrapper.ts'
import { openSession } from '../session/open-session.ts'
import { ProvisionalChannel } from './provisional-channel.ts'

const missingVersion = 'The wrapper did not tell its version'

/** How a channel to a wrapper is opened. */
export interface OpenChannelOptions {
  /** Names of the wrapper. */
  readonly brand: Brand
  /**
   * `auto` takes the session mode where the wrapper has it, else the classic mode. So does `classic` where a wrapper has to prove whose
   * it is: each connection of the classic mode might be somebody else's.
   */
  readonly mode: 'auto' | 'classic'
  readonly maxInFlight: number | undefined
  /** For the channel's own requests later on, in milliseconds. */
  readonly timeoutMs: number
  /** Whether another channel is opened when this one is lost. */
  readonly reconnect: boolean
}

/**
 * Opens a channel to one wrapper, in the best mode that both have.
 *
 * @throws {PipeTooOldError} when the wrapper is older than 2.1.4.19787 (specification 8)
 * @throws {PipeReplyError} when it tells a version that is none
 * @throws whatever a call throws
 */
export async function openChannel(
  wrapper: ListedPipe,
  options: OpenChannelOptions,
  bounds: CallBounds,
): Promise<Channel> {
  const startedAt = performance.now()
  const open = async (given: CallBounds) => {
    const openedAt = performance.now()
    const challenge = await awaitWithin(challengeWrapper(options.brand), given, missingKey)
    if (options.mode === 'classic' && !challenge) return 'classic'
    const spentMs = given.spentMs + performance.now() - openedAt
    return openSession(wrapper, { ...options, challenge }, { ...given, spentMs })
  }
  const session = await open(bounds)
  const channel =
    typeof session === 'object'
      ? session.channel
      : new ClassicChannel(wrapper, await watchForKey(options.brand), options)
  try {
    const spentMs = bounds.spentMs + performance.now() - startedAt
    const version =
      typeof session === 'object' ? session.hello.version : await askVersion(channel, { ...bounds, spentMs })
    assertNewEnough(version)
    return session === 'unanswered' ? new ProvisionalChannel(channel, open, options.timeoutMs) : channel
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
