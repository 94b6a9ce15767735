import { lstat } from 'node:fs/promises'
import { checkHandOffAddress, findHandOff } from '../../instance/hand-off-address.ts'
import { locateInstance } from '../../instance/locate-instance.ts'
import { isThisUsersAlone } from '../../instance/private-folder.ts'
import { type DoctorCheck, ok, problem } from '../doctor-check.ts'
import { isListening } from '../is-listening.ts'

/** Where a second start hands its launch over. */
export const handOffCheck: DoctorCheck = {
  name: 'hand-off',
  async run({ brand, folders: { userFolder }, environment }, signal) {
    const place = locateInstance({ application: brand.application, userFolder, environment })
    const { handOffAddress, privateFolder } = place
    if (privateFolder !== undefined) {
      const found = await lstat(privateFolder).catch(() => undefined)
      if (!found) return ok('No launch can be handed over yet: the first start makes the socket.')
      if (!found.isDirectory() || !isThisUsersAlone(found))
        return problem(
          `${privateFolder}, the folder of the hand-off socket, is not this user’s alone.`,
          'Find out who made it, and remove it.',
        )
      if (place.addressFile === undefined) checkHandOffAddress(handOffAddress)
    }
    const address = findHandOff(place)?.address
    const isThere = address !== undefined && (await isListening(address, signal))
    return ok(
      isThere
        ? `A process listens at ${place.addressFile === undefined ? address : `the address that ${place.addressFile} holds`}.`
        : 'No process takes launches in this login session.',
    )
  },
}
