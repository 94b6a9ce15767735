import type { Brand } from '@service-link/protocol-core/brand'
import type { CallBounds } from '../../connection/call-bounds.ts'
import { type FoundWrapper, findWrappers } from '../../find/find-wrappers.ts'
import { currentPlatform } from '../../platform/current-platform.ts'

/** For the proofs of all that were found. */
const bounds: CallBounds = { timeoutMs: 10_000, spentMs: 0, signal: undefined }

/**
 * The wrappers that run, each with what tells its login session from this user's others; null where it cannot be told. Where the
 * operating system does not tell whose pipes they are, and there is a key, also whether each has proven to be this user's.
 */
export async function listWrappers(brand: Brand): Promise<unknown> {
  const found = await findWrappers({ brand })
  const sessions = await currentPlatform.loginSessionsOf(found.map(({ pid }) => pid))
  const proven = await provenOf(brand, found)
  return found.map(wrapper => ({
    pid: wrapper.pid,
    address: wrapper.address,
    session: sessions.get(wrapper.pid) ?? null,
    ...(proven ? { proven: proven.includes(wrapper) } : {}),
  }))
}

async function provenOf(
  brand: Brand,
  found: readonly FoundWrapper[],
): Promise<readonly FoundWrapper[] | undefined> {
  if (currentPlatform.tellsOwner || found.length === 0) return undefined
  // Loaded late: it brings all schemas.
  const { proveWrappers } = await import('../../find/prove-wrappers.ts')
  return (await proveWrappers(brand, found, bounds))?.proven
}
