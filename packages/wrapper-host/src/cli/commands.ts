import { kindOf } from '../log/failure-reason.ts'

/** The program without the hand-off. Each part is loaded when it is called. */
export const commands = {
  async runCommand(...command: Parameters<typeof import('./program-commands.ts').runProgramCommand>) {
    return (await import('./program-commands.ts')).runProgramCommand(...command)
  },
  async run(...launch: Parameters<typeof import('./run-wrapper.ts').runWrapper>) {
    return (await import('./run-wrapper.ts')).runWrapper(...launch)
  },
  async tellFailedStart(...failed: Parameters<typeof import('./run-wrapper.ts').tellFailedStart>) {
    return (await import('./run-wrapper.ts')).tellFailedStart(...failed)
  },
  kindOf,
}

export type ProgramCommands = typeof commands
