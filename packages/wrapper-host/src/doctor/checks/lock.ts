import { locateInstance } from '../../instance/locate-instance.ts'
import { isLockHeld } from '../../instance/peek-lock.ts'
import { type DoctorCheck, ok } from '../doctor-check.ts'

/** The lock that makes one process the wrapper. */
export const lockCheck: DoctorCheck = {
  name: 'lock',
  async run({ brand, folders: { userFolder }, environment }) {
    const { lockFile } = locateInstance({ application: brand.application, userFolder, environment })
    return ok(
      isLockHeld(lockFile) ? `A process holds ${lockFile}.` : 'No process holds the lock of the instance.',
    )
  },
}
