import { stat } from 'node:fs/promises'
import { InstanceAccessError } from '../../instance/instance-access-error.ts'
import { findUserFolderFault } from '../../settings/user-folder-error.ts'
import { type DoctorCheck, ok, problem, warning } from '../doctor-check.ts'

/** This user's own folder: there, writable, and nobody else's. */
export const userFolderCheck: DoctorCheck = {
  name: 'user-folder',
  async run({ folders: { userFolder } }) {
    const found = await stat(userFolder).catch(() => undefined)
    if (found && !found.isDirectory())
      return problem(`${userFolder} is no folder.`, 'Remove it, or name another with SERVICE_WRAPPER_DATA.')
    const user = process.getuid?.()
    if (found && user !== undefined && found.uid !== user)
      throw new InstanceAccessError(user === 0 ? 'elevated-process' : 'foreign-folder')
    const fault = findUserFolderFault(userFolder)
    if (fault) return problem(fault.problem, fault.remedy)
    if (!found) return ok(`${userFolder} is not there yet: the first start makes it.`)
    if (user !== undefined && (found.mode & 0o077) !== 0)
      return warning(
        `${userFolder} can be entered by other users.`,
        'Close it to them (chmod go-rwx): the browser’s profile is in it.',
      )
    return ok(`${userFolder} is this user’s alone, and can be written to.`)
  },
}
