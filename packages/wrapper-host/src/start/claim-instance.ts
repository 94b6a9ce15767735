import { assertParameter, ServiceLinkError } from '@service-link/protocol-core/errors'
import { Deadline, pause } from '@service-link/protocol-core/time'
import type { TakeLaunch } from '../launch/launch-offers.ts'
import { wrapperVersion } from '../settings/wrapper-folders.ts'
import { type HandOffOutcome, type HandOffRequest, offerLaunch } from './hand-off.ts'
import type { InstanceLock, ProfileClaim } from './instance-lock.ts'
import type { InstancePlace } from './instance-place.ts'
import { ensurePrivateFolder, ensureUserFolder, InstanceAccessError } from './private-folder.ts'
import type { PrivateServer, ServeClient } from './private-server.ts'

/** The instance is ours to be, or the launch went to the one that runs. */
export type InstanceClaim =
  | {
      readonly role: 'wrapper'
      /**
       * Begins to take launches of other processes, and publishes the record by which they find this one. Call it before any
       * window is created.
       *
       * @throws {PrivateFolderError} when the private socket or the record cannot be made
       * @throws {HandOffTakenError} when something that is not this user's wrapper is at its address
       */
      listen(take: TakeLaunch, options?: ListenOptions): Promise<void>
      /**
       * Claims a folder within the per-user folder for the browser's profile, until the instance is released: a wrapper of
       * another login session that runs at the same time has another.
       *
       * @returns its absolute path
       * @throws {PrivateFolderError} when the lock cannot be made
       */
      claimProfile(userFolder: string): Promise<string>
      /** Takes no further launch, but keeps the instance: new processes wait for its release. */
      stopListening(): Promise<void>
      /** Takes no further launch and lets the next process be the wrapper. */
      release(): Promise<void>
    }
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }

/** What else a claimed instance serves. */
export interface ListenOptions {
  /** The wrapper's version in its record. Default: this package's. */
  readonly version?: string
  /** Serves clients that have proven themselves. Default: they are refused. */
  readonly serve?: ServeClient
}

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
  assertParameter('place', place, 'object', { userFolder: 'text', recordFile: 'text', lockFile: 'text' })
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
  const { timeoutMs = 30_000, signal } = options
  signal?.throwIfAborted()
  const deadline = new Deadline(timeoutMs, signal)
  for (let pauseMs = 4; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const { outcome, refusal } = await offer(place, request, deadline)
    if (outcome) return { role: 'handed-off', outcome }
    ensureUserFolder(place.userFolder)
    ensurePrivateFolder(place.privateFolder)
    const { tryLockInstance } = await import('./instance-lock.ts')
    const lock = tryLockInstance(place.lockFile)
    if (lock) return becomeWrapper(place, lock)
    if (refusal) throw refusal
    if (deadline.isOver) throw new InstanceBusyError(timeoutMs)
    await pause(pauseMs * (0.5 + Math.random()), signal)
  }
}

/** A refusal is the wrapper's only if the lock is held. Else the wrapper was killed, and something else is at its address. */
async function offer(
  place: InstancePlace,
  request: HandOffRequest,
  { leftMs, signal }: Deadline,
): Promise<{ readonly outcome?: HandOffOutcome | undefined; readonly refusal?: InstanceAccessError }> {
  const options = { acceptTimeoutMs: Math.max(1, leftMs), ...(signal ? { signal } : {}) }
  try {
    return { outcome: await offerLaunch(place, request, options) }
  } catch (error) {
    if (error instanceof InstanceAccessError && error.fault === 'elevated-wrapper') return { refusal: error }
    throw error
  }
}

function becomeWrapper(place: InstancePlace, lock: InstanceLock): InstanceClaim {
  let server: PrivateServer | undefined
  let published: AsyncDisposable | undefined
  let profile: ProfileClaim | undefined
  return {
    role: 'wrapper',
    async listen(take, { version = wrapperVersion, serve } = {}) {
      const { PrivateServer } = await import('./private-server.ts')
      const { choosePrivateAddress, publishRecord } = await import('./publish-record.ts')
      const { address, key } = choosePrivateAddress(place)
      server = await PrivateServer.listen(address, { key, take, serve })
      const { session } = place
      published = await publishRecord(place, { pid: process.pid, session, version, address, key })
    },
    async claimProfile(userFolder) {
      const { claimProfile } = await import('./instance-lock.ts')
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
