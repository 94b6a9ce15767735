import type { Launch } from '@service-link/protocol-core'
import { kindOf } from '../log/failure-reason.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { ProgramIdentity } from './program-identity.ts'
import { spareStart } from './start-memory.ts'

/** The program without the hand-off. Each part is loaded when it is called. */
export const commands = {
  async runCommand(...command: Parameters<typeof import('./program-commands.ts').runProgramCommand>) {
    return (await import('./program-commands.ts')).runProgramCommand(...command)
  },
  async run(
    launch: Launch,
    identity: ProgramIdentity,
    folders: WrapperFolders,
    onNotice: (sentence: string) => void,
  ) {
    const onStarted = spareStart()
    const { runWrapper } = await import('./run-wrapper.ts')
    return runWrapper(launch, identity, folders, onNotice, onStarted)
  },
  async tellFailedStart(...failed: Parameters<typeof import('./run-wrapper.ts').tellFailedStart>) {
    return (await import('./run-wrapper.ts')).tellFailedStart(...failed)
  },
  kindOf,
}

export type ProgramCommands = typeof commands
