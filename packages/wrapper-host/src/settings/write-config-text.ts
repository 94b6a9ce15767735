import { failureReason } from '../log/failure-reason.ts'
import { ConfigFileError } from './config-file-error.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Writes a user's file.
 *
 * @throws {ConfigFileError} that says what to do
 */
export async function writeConfigText(file: string, text: string): Promise<void> {
  await whileWriting(file, () => replaceFile(file, text))
}

/** Says of what the file system refuses what its user can do about it. */
export async function whileWriting(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw new ConfigFileError(
      file,
      `cannot be written (${failureReason(error)}); its folder must be one that this user may write to, and SERVICE_WRAPPER_DATA can name another`,
    )
  }
}
