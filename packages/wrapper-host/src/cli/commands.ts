import { setFlagsFromString } from 'node:v8'
import { kindOf } from '../log/failure-reason.ts'

/** The program without the hand-off. Each part is loaded when it is called. */
export const commands = {
  async runCommand(...command: Parameters<typeof import('./program-commands.ts').runProgramCommand>) {
    return (await import('./program-commands.ts')).runProgramCommand(...command)
  },
  async run(...launch: Parameters<typeof import('./run-wrapper.ts').runWrapper>) {
    // The start's garbage would make V8's young generation 7 MB for good. A wrapper waits most of its life.
    setFlagsFromString('--semi-space-growth-factor=1')
    return (await import('./run-wrapper.ts')).runWrapper(...launch)
  },
  async tellFailedStart(...failed: Parameters<typeof import('./run-wrapper.ts').tellFailedStart>) {
    return (await import('./run-wrapper.ts')).tellFailedStart(...failed)
  },
  kindOf,
}

export type ProgramCommands = typeof commands
