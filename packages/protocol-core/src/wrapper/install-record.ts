import { findTextProblem } from '../text/text-rules.ts'
import { parseVersion } from './four-part-version.ts'

/** Where a wrapper is installed, see {@link parseInstallRecord}. */
export interface InstallRecord {
  /** Absolute path of the folder that the wrapper lies in. */
  readonly path: string
  /** Four numbers with dots between them. */
  readonly version: string
  /** The command that starts it: the absolute path of an executable, then arguments before those of a launch. */
  readonly command: readonly string[]
}

/** Most texts of a command. */
const maxCommandLength = 16

/** Most bytes of a file with an {@link InstallRecord}. */
export const maxInstallRecordBytes = 256 * 1024

/**
 * Reads the text of a file in which a wrapper notes at each start where it is installed, for programs that start it
 * ([specification 4.2](https://github.com/service-link/service-link/blob/main/docs/reference/command-line.md)). It holds nothing of a person.
 *
 * @returns nothing when it is not such a text
 */
export function parseInstallRecord(text: string): InstallRecord | undefined {
  try {
    const { path, version, command } = Object(JSON.parse(text))
    const isRecord =
      isCommandText(path) &&
      isVersion(version) &&
      Array.isArray(command) &&
      command.length > 0 &&
      command.length <= maxCommandLength &&
      command.every(isCommandText)
    return isRecord ? { path, version, command } : undefined
  } catch {
    return undefined
  }
}

/** A path or an argument, as an operating system can start a program with it. */
function isCommandText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && findTextProblem(value) === undefined
}

function isVersion(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    parseVersion(text)
    return text === text.trim()
  } catch {
    return false
  }
}
