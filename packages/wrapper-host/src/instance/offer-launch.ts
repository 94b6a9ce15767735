import { checkHandOffAddress, findHandOff } from './hand-off-address.ts'
import { type HandOffOptions, handOff } from './hand-off-client.ts'
import type { HandOffOutcome, HandOffRequest } from './hand-off-message.ts'
import type { InstancePlace } from './platform/instance-platform.ts'
import { checkPrivateFolder } from './private-folder.ts'
import { checkUserFolder } from './user-folder.ts'

/**
 * Offers a launch to the wrapper that runs, after making sure that nobody else can sit at its address. Makes nothing.
 *
 * @returns how the hand-off ended, or `undefined` when no wrapper took it
 * @throws {PrivateFolderError} when the folder of the socket is not this user's alone
 * @throws {HandOffTakenError} when something that is not this user's wrapper sits at the address
 * @throws {InstanceAccessError} when the wrapper may not be reached from this process, or the per-user folder is another user's
 * @throws {HandOffTimeoutError} when there is a listener that does not answer
 * @throws {HandOffLostError} when the wrapper took a launch that waits, and went away before its end
 * @throws {HandOffWaitError} when the wrapper took the launch, which waits for its end, and does not tell it
 */
export async function offerLaunch(
  place: InstancePlace,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  if (place.userFolder !== undefined) checkUserFolder(place.userFolder)
  if (place.privateFolder && !checkPrivateFolder(place.privateFolder)) return undefined
  const point = findHandOff(place)
  if (!point) return undefined
  const { address, proof } = point
  if (place.privateFolder && !proof) checkHandOffAddress(address)
  return handOff(address, request, proof ? { ...options, proof } : options)
}
