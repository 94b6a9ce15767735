import { type HandOffOptions, handOff } from './hand-off-client.ts'
import type { HandOffOutcome, HandOffRequest } from './hand-off-message.ts'
import type { InstancePlace } from './platform/instance-platform.ts'
import { ensurePrivateFolder } from './private-folder.ts'

/**
 * Offers a launch to the wrapper that runs, after making sure that nobody else can sit at its address.
 *
 * @returns how the hand-off ended, or `undefined` when no wrapper took it
 * @throws {PrivateFolderError} when the folder of the socket is not this user's alone
 * @throws {HandOffTimeoutError} when there is a listener that does not answer
 */
export async function offerLaunch(
  place: InstancePlace,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  if (place.privateFolder) ensurePrivateFolder(place.privateFolder)
  return handOff(place.handOffAddress, request, options)
}
