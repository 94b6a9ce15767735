import type { Brand } from '@service-link/protocol-core/brand'
import type { CallBounds } from '../../connection/call-bounds.ts'
import { type FoundWrapper, findWrappers } from '../../find/find-wrappers.ts'
import type { ProvenWrappers } from '../../find/prove-wrappers.ts'
import { currentPlatform } from '../../platform/current-platform.ts'

/** For the proofs of all that were found, which have half of it. */
const bounds: CallBounds = { timeoutMs: 20_000, spentMs: 0, signal: undefined }

/**
 * The wrappers that run, each with what tells its login session from this user's others; null where it cannot be told. Where the
 * operating system does not tell whose pipes they are, and there is a key, also whether each has proven to be this user's: true, false
 * for a wrong answer, null for none.
 *
 * @param isPrefixAlone whether the rest of the brand is not known: then its key is not, and nobody is asked for proof
 */
export async function listWrappers(brand: Brand, isPrefixAlone = false): Promise<unknown> {
  const found = await findWrappers({ brand })
  const sessions = await currentPlatform.loginSessionsOf(found.map(({ pid }) => pid))
  const outcome = isPrefixAlone ? undefined : await askForProof(brand, found)
  return found.map(wrapper => ({
    pid: wrapper.pid,
    address: wrapper.address,
    session: sessions.get(wrapper.pid) ?? null,
    ...(outcome ? { proven: isProven(wrapper, outcome) } : {}),
  }))
}

async function askForProof(
  brand: Brand,
  found: readonly FoundWrapper[],
): Promise<ProvenWrappers | undefined> {
  if (currentPlatform.tellsOwner || found.length === 0) return undefined
  // Loaded late: it brings all schemas.
  const { proveWrappers } = await import('../../find/prove-wrappers.ts')
  return proveWrappers(brand, found, bounds)
}

function isProven(wrapper: FoundWrapper, { proven, refuted }: ProvenWrappers): boolean | null {
  if (proven.includes(wrapper)) return true
  return refuted.includes(wrapper) ? false : null
}
