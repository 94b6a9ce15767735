import type { HandOffOutcome, HandOffRequest } from '@service-link/protocol-core'
import { defineError } from '@service-link/protocol-core/errors'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { ensurePrivateFolder, ensureUserFolder, InstanceAccessError } from '../files/access.ts'
import { offerLaunch } from './hand-off.ts'
import type { HeldInstance } from './hold-instance.ts'
import type { InstancePlace } from './instance-place.ts'

/** Whether this process is now the wrapper, or the running wrapper has the launch. */
export type InstanceClaim =
  | ({ readonly role: 'wrapper' } & HeldInstance)
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }

interface ClaimInstanceOptions {
  /** Longest wait in milliseconds for the wrapper to take the launch, or to end. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Ends the claim, which rejects with the signal's reason. The wrapper may still carry out a launch that it has. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A wrapper holds the instance and takes no launches: it starts or closes very slowly, or is stuck.
 *
 * @remedy End the process of the wrapper that runs, and start again.
 * @retry after ending it
 * @seenBy user, administrator
 */
export class InstanceBusyError extends defineError('ERR_INSTANCE_BUSY', (waitedMs: number) => ({
  message: `Another wrapper of this user holds the instance and took no launch within ${waitedMs} ms: it starts or closes very slowly, is stuck, or has administrator rights that this process has not. End its process and start again.`,
  waitedMs,
})) {}

/**
 * Hands a launch to the running wrapper, or makes this process the wrapper. Never exits the process.
 *
 * One process holds the lock at any time; the lock ends with it. A process that finds neither listener nor holder becomes the
 * wrapper. If there is a holder without a listener, it offers its launch again. Only a process without a listener loads
 * lock, schemas and server: the others end within milliseconds.
 */
export async function claimInstance(
  place: InstancePlace,
  request: HandOffRequest,
  options: ClaimInstanceOptions = {},
): Promise<InstanceClaim> {
  const { timeoutMs = 30_000, signal } = options
  signal?.throwIfAborted()
  const deadline = new Deadline(timeoutMs, signal)
  for (let pauseMs = 4; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const { outcome, refusal } = await offer(place, request, deadline)
    if (outcome) return { role: 'handed-off', outcome }
    ensureUserFolder(place.userFolder)
    ensurePrivateFolder(place.privateFolder)
    const { tryHoldInstance } = await import('./hold-instance.ts')
    const held = tryHoldInstance(place)
    if (held) return { role: 'wrapper', ...held }
    if (refusal) throw refusal
    if (deadline.isOver) throw new InstanceBusyError(timeoutMs)
    await pause(pauseMs * (0.5 + Math.random()), signal)
  }
}

/** Returns a refusal instead of throwing it: without a holder, something else is at the address of a killed wrapper. */
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
