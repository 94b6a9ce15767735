import type { Brand } from '@service-link/protocol-core/brand'
import { findWrappers } from '../../find/find-wrappers.ts'
import { currentPlatform } from '../../platform/current-platform.ts'

/** The wrappers that run, each with what tells its login session from this user's others; null where it cannot be told. */
export async function listWrappers(brand: Brand): Promise<unknown> {
  const found = await findWrappers({ brand })
  const sessions = await Promise.all(found.map(({ pid }) => currentPlatform.loginSessionOf(pid)))
  return found.map(({ pid, address }, index) => ({ pid, address, session: sessions[index] ?? null }))
}
