import { access, constants, stat } from 'node:fs/promises'
import { InstanceAccessError } from '../../instance/instance-access-error.ts'
import { type DoctorCheck, ok, problem, warning } from '../doctor-check.ts'

/** This user's own folder: there, writable, and nobody else's. */
export const userFolderCheck: DoctorCheck = {
  name: 'user-folder',
  async run({ folders: { userFolder } }) {
    const found = await stat(userFolder).catch(() => undefined)
    if (!found) return ok(`${userFolder} is not there yet: the first start makes it.`)
    if (!found.isDirectory())
      return problem(`${userFolder} is no folder.`, 'Remove it, or name another with SERVICE_WRAPPER_DATA.')
    const user = process.getuid?.()
    if (user !== undefined && found.uid !== user)
      throw new InstanceAccessError(user === 0 ? 'elevated-process' : 'foreign-folder')
    if (!(await isWritable(userFolder)))
      return problem(`${userFolder} cannot be written to.`, 'Give this user the right to write there.')
    if (user !== undefined && (found.mode & 0o077) !== 0)
      return warning(
        `${userFolder} can be entered by other users.`,
        'Close it to them (chmod go-rwx): the browser’s profile is in it.',
      )
    return ok(`${userFolder} is this user’s alone, and can be written to.`)
  },
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
