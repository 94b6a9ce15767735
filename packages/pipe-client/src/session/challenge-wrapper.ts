import type { HelloReply } from '@service-link/protocol-core'
import type { Brand } from '@service-link/protocol-core/brand'
import { currentPlatform } from '../platform/current-platform.ts'

/** What did not come about where reading the key takes longer than the caller has, see `PipeTimeoutError`. */
export const missingKey = 'The key by which a wrapper proves whose it is could not be read'

/** What a wrapper has to answer at `hello` before anything else is sent to it (design: pipe protocol). */
export interface WrapperChallenge {
  /** 32 random bytes, as they travel. */
  readonly text: string
  /**
   * Whether an answer proves that it comes from the wrapper of this user which is a certain process.
   *
   * @throws {PipeDeniedError} when the key cannot be trusted any more
   */
  isMetBy(hello: HelloReply, pid: number): Promise<boolean>
}

/**
 * Watches for a key where proof could not be asked for, because there was none: a connection that is made later may be somebody
 * else's, who is found out then.
 *
 * @returns tells whether there is one by now, damaged or not; never where proof is not needed
 */
export async function watchForKey(brand: Brand): Promise<() => boolean> {
  if (currentPlatform.tellsOwner) return () => false
  const { hasKey } = await import('./make-challenge.ts')
  return () => hasKey(brand)
}

/**
 * Makes a challenge where the operating system does not tell whose pipe it is, and a wrapper of this user has left a key to prove it
 * with. Nothing of that is loaded elsewhere.
 *
 * @returns nothing where it is not needed, or not possible because only older wrappers have run
 * @throws {PipeDeniedError} when the key is damaged, or others may have read or written it
 */
export async function challengeWrapper(brand: Brand): Promise<WrapperChallenge | undefined> {
  if (currentPlatform.tellsOwner) return undefined
  const { makeChallenge } = await import('./make-challenge.ts')
  return makeChallenge(brand)
}
