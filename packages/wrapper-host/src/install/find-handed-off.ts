import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { findHandOff } from '../instance/hand-off-address.ts'
import { handOff } from '../instance/hand-off-client.ts'
import { makeLaunchId } from '../instance/launch-id.ts'

const addressFile = /^[\da-f]{32}\.address$/

/** A wrapper accepts a launch at once, or is too busy to close in time. */
const acceptTimeoutMs = 5000

/**
 * Asks the wrappers of a user, in all login sessions, for their process ids, by a launch without commands that each takes at the
 * address which its file tells.
 *
 * @param beginning what their addresses begin with
 * @returns the process ids of those that answered. Never rejects
 */
export async function findHandedOff(
  brand: Brand,
  userFolder: string,
  beginning: string,
): Promise<readonly number[]> {
  const names = (await readdir(userFolder).catch(() => [])).filter(name => addressFile.test(name))
  const argv = [`provider=${brand.providers.arguments}`]
  const outcomes = await Promise.all(
    names.map(async name => {
      const point = findHandOff({ handOffAddress: beginning, addressFile: join(userFolder, name) })
      const launch = { id: makeLaunchId(), argv, workingDirectory: userFolder }
      const options = { acceptTimeoutMs, ...(point?.proof ? { proof: point.proof } : {}) }
      return point && handOff(point.address, { launch }, options).catch(() => undefined)
    }),
  )
  return outcomes.flatMap(outcome => (outcome?.status === 'accepted' ? [outcome.pid] : []))
}
