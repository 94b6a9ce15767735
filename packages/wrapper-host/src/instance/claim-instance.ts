import { setTimeout as wait } from 'node:timers/promises'
import { assertParameter, ServiceLinkError } from '@service-link/protocol-core/errors'
import type { HandOffOptions } from './hand-off-client.ts'
import type { HandOffOutcome, HandOffRequest } from './hand-off-message.ts'
import type { HandOffServer } from './hand-off-server.ts'
import { InstanceAccessError } from './instance-access-error.ts'
import type { InstanceLock } from './instance-lock.ts'
import type { TakeLaunch } from './launch-offers.ts'
import { offerLaunch } from './offer-launch.ts'
import type { InstancePlace } from './platform/instance-platform.ts'
import { ensurePrivateFolder } from './private-folder.ts'
import type { ProfileClaim } from './profile-claim.ts'
import type { PublishedAddress } from './published-address.ts'

/** The instance is ours to be, or the launch went to the one that runs. */
export type InstanceClaim =
  | {
      readonly role: 'wrapper'
      /**
       * Begins to take launches of other processes; to be called before any window is created.
       *
       * @throws {PrivateFolderError} when the hand-off socket cannot be made
       * @throws {HandOffTakenError} when something that is not this user's wrapper listens at its address
       */
      listen(take: TakeLaunch): Promise<void>
      /**
       * Claims a folder within the per-user folder for the browser's profile, until the instance is released: a wrapper of
       * another login session that runs at the same time has another.
       *
       * @returns its absolute path
       * @throws {PrivateFolderError} when the lock cannot be made
       */
      claimProfile(userFolder: string): Promise<string>
      /** Takes no further launch, but keeps the instance: whoever comes now waits for its release. */
      stopListening(): Promise<void>
      /** Takes no further launch and lets the next process be the wrapper. */
      release(): Promise<void>
    }
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }

/** Longest time that a timer can measure, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** Options of {@link claimInstance}. */
export interface ClaimInstanceOptions {
  /** Longest time in milliseconds until this process is the wrapper or its launch is taken. Default 30,000. */
  readonly timeoutMs?: number
  /** Gives the claim up: it rejects with the signal's reason. A launch that was handed over by then may be carried out. */
  readonly signal?: AbortSignal
}

/** A wrapper holds the instance and takes no launches: it is starting very slowly, closing very slowly, or stuck. */
export class InstanceBusyError extends ServiceLinkError<'ERR_INSTANCE_BUSY'> {
  readonly code = 'ERR_INSTANCE_BUSY'
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(
      `Another wrapper of this user holds the instance and took no launch within ${waitedMs} ms: it starts or closes very slowly, is stuck, or has administrator rights that this process has not. End its process and start again.`,
    )
    this.waitedMs = waitedMs
  }
}

/**
 * Decides for one launch: hand it to the wrapper that runs, or become that wrapper. Never exits the process.
 *
 * Exactly one process holds the lock at any time, and it dies with that process. A process that finds no listener and no
 * holder becomes the wrapper; one that finds a holder without a listener offers its launch again. Lock, schemas and server
 * are loaded only by a process that finds no listener: the others end within milliseconds.
 *
 * @throws {PrivateFolderError} when the folder of socket and lock is not this user's alone, or cannot hold them
 * @throws {HandOffTakenError} when something that is not this user's wrapper sits at the address
 * @throws {InstanceAccessError} when the wrapper or the per-user folder is out of this process's reach
 * @throws {InstanceBusyError} when there is a holder that takes no launch
 * @throws {HandOffTimeoutError} when there is a listener that does not answer
 * @throws {HandOffLostError} when a listener took the launch, which waits for its end, and was gone before that
 * @throws {HandOffWaitError} when the wrapper took the launch, which waits for its end, and does not tell it
 */
export async function claimInstance(
  place: InstancePlace,
  request: HandOffRequest,
  options: ClaimInstanceOptions = {},
): Promise<InstanceClaim> {
  assertParameter('place', place, 'object', { handOffAddress: 'text', lockFile: 'text' })
  assertParameter('request', request, 'object')
  assertParameter('request.launch', request.launch, 'object', {
    id: 'text',
    argv: 'list',
    workingDirectory: 'text',
  })
  assertParameter('options', options, 'object', { timeoutMs: 'number?', signal: 'object?' })
  assertParameter('options.signal', options.signal, 'object?', {
    addEventListener: 'function',
    throwIfAborted: 'function',
  })
  options.signal?.throwIfAborted()
  const timeoutMs = options.timeoutMs ?? 30_000
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 4; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const acceptTimeoutMs = Math.min(Math.max(1, Math.ceil(deadline - performance.now())), longestTimerMs)
    const { outcome, refusal } = await offer(place, request, { ...options, acceptTimeoutMs })
    if (outcome) return { role: 'handed-off', outcome }
    const { ensureUserFolder } = await import('./user-folder.ts')
    if (place.userFolder !== undefined) ensureUserFolder(place.userFolder)
    if (place.privateFolder !== undefined) ensurePrivateFolder(place.privateFolder)
    const { tryLockInstance } = await import('./instance-lock.ts')
    const lock = tryLockInstance(place.lockFile)
    if (lock) return becomeWrapper(place, lock)
    if (refusal) throw refusal
    if (performance.now() > deadline) throw new InstanceBusyError(timeoutMs)
    await pause(pauseMs * (0.5 + Math.random()), options.signal)
  }
}

/**
 * Offers the launch. Where a file tells the address, a refusal is the wrapper's only if the lock is held: else the wrapper was killed,
 * and somebody has sat down where it was.
 */
async function offer(
  place: InstancePlace,
  request: HandOffRequest,
  options: HandOffOptions,
): Promise<{ readonly outcome?: HandOffOutcome | undefined; readonly refusal?: InstanceAccessError }> {
  try {
    return { outcome: await offerLaunch(place, request, options) }
  } catch (error) {
    if (place.addressFile !== undefined && error instanceof InstanceAccessError) return { refusal: error }
    throw error
  }
}

/** @throws the signal's reason when it aborts */
async function pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(pauseMs, undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

function becomeWrapper(place: InstancePlace, lock: InstanceLock): InstanceClaim {
  let server: HandOffServer | undefined
  let published: PublishedAddress | undefined
  let profile: ProfileClaim | undefined
  return {
    role: 'wrapper',
    async listen(take) {
      const { HandOffServer } = await import('./hand-off-server.ts')
      const { addressFile, handOffAddress } = place
      if (addressFile !== undefined) {
        const { newPublishedAddress } = await import('./published-address.ts')
        published = newPublishedAddress(handOffAddress, addressFile)
      }
      server = await HandOffServer.listen(
        published?.address ?? handOffAddress,
        take,
        published ? { proof: published.proof } : {},
      )
      await published?.publish()
    },
    async claimProfile(userFolder) {
      const { claimProfile } = await import('./profile-claim.ts')
      profile ??= claimProfile(userFolder)
      return profile.folder
    },
    async stopListening() {
      await published?.[Symbol.asyncDispose]()
      published = undefined
      await server?.[Symbol.asyncDispose]()
      server = undefined
    },
    async release() {
      await this.stopListening()
      profile?.[Symbol.dispose]()
      lock[Symbol.dispose]()
    },
  }
}
