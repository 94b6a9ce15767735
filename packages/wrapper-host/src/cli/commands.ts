import type { Launch } from '@service-link/protocol-core'
import { kindOf } from '../log/failure-reason.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { ProgramIdentity } from './program-identity.ts'
import type { FailedStart, WrapperEnd } from './run-wrapper.ts'

/** The program without the hand-off. Each part is loaded when it is called. */
export interface ProgramCommands {
  /**
   * Carries out `doctor`, `settings`, `installer` or `--help`.
   *
   * @returns exit code
   */
  runCommand(argv: readonly string[], identity: ProgramIdentity): Promise<number>
  /** Becomes the wrapper until it closes. */
  run(
    launch: Launch,
    identity: ProgramIdentity,
    folders: WrapperFolders,
    onNotice: (sentence: string) => void,
  ): Promise<WrapperEnd>
  /** Reports a failed start as `tellFailedStart` does. */
  tellFailedStart(
    failed: FailedStart,
    identity: ProgramIdentity,
    folders: WrapperFolders,
  ): Promise<string | undefined>
  /** The kind of an error, without its message: that may hold personal data. */
  kindOf(error: unknown): string
}

/** The parts of the program. */
export const commands: ProgramCommands = {
  async runCommand(argv, identity) {
    return (await import('./program-commands.ts')).runProgramCommand(argv, identity)
  },
  async run(...launch) {
    return (await import('./run-wrapper.ts')).runWrapper(...launch)
  },
  async tellFailedStart(...failed) {
    return (await import('./run-wrapper.ts')).tellFailedStart(...failed)
  },
  kindOf,
}
