import type { Launch } from '@service-link/protocol-core'
import { kindOf } from '../log/failure-reason.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { ProgramIdentity } from './program-identity.ts'
import type { WrapperEnd } from './run-wrapper.ts'
import type { FailedStart } from './tell-failed-start.ts'

/** All that a program does except to hand its launch over. Each part is read when it is asked for. */
export interface ProgramCommands {
  /** @returns what `--help` prints */
  help(identity: ProgramIdentity): Promise<string>
  /** @returns exit code */
  doctor(argv: readonly string[], identity: ProgramIdentity): Promise<number>
  /** @returns exit code */
  settings(argv: readonly string[], identity: ProgramIdentity): Promise<number>
  /** @returns exit code */
  installer(argv: readonly string[], identity: ProgramIdentity): Promise<number>
  /** Becomes the wrapper and stays it. */
  run(
    launch: Launch,
    identity: ProgramIdentity,
    folders: WrapperFolders,
    onNotice: (sentence: string) => void,
  ): Promise<WrapperEnd>
  /** Tells of a start that has failed, as `tellFailedStart` does. */
  tellFailedStart(
    failed: FailedStart,
    identity: ProgramIdentity,
    folders: WrapperFolders,
  ): Promise<string | undefined>
  /** What kind of error it is, without what its message may hold. */
  kindOf(error: unknown): string
}

const exitUsage = 2

/** The parts of the program. */
export const commands: ProgramCommands = {
  async help({ command }) {
    return (await import('./help-text.ts')).helpText(command)
  },
  async doctor(argv, identity) {
    return (await import('./doctor-command.ts')).doctorCommand(argv, identity)
  },
  async settings(argv, identity) {
    return (await import('./settings-command.ts')).settingsCommand(argv, identity)
  },
  async installer(argv, { brand }) {
    const exitCode = await (await import('./installer-command.ts')).installerCommand(argv, brand)
    if (exitCode === exitUsage)
      process.stderr.write('After the word installer comes close or forget, and nothing else: see --help.\n')
    return exitCode
  },
  async run(launch, identity, folders, onNotice) {
    return (await import('./run-wrapper.ts')).runWrapper(launch, identity, folders, onNotice)
  },
  async tellFailedStart(...facts) {
    return (await import('./tell-failed-start.ts')).tellFailedStart(...facts)
  },
  kindOf,
}
