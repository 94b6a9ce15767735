import { kindOf } from '../log/failure-reason.ts'

/** The program without the hand-off. Each part is loaded when it is called. */
export const programParts = {
  async runSubcommand(...words: Parameters<typeof import('./subcommands.ts').runSubcommand>) {
    return (await import('./subcommands.ts')).runSubcommand(...words)
  },
  async addHint(...refusal: Parameters<typeof import('./subcommands.ts').addHint>) {
    return (await import('./subcommands.ts')).addHint(...refusal)
  },
  async run(...launch: Parameters<typeof import('./run-wrapper.ts').runWrapper>) {
    return (await import('./run-wrapper.ts')).runWrapper(...launch)
  },
  async tellFailedStart(...failed: Parameters<typeof import('./run-wrapper.ts').tellFailedStart>) {
    return (await import('./run-wrapper.ts')).tellFailedStart(...failed)
  },
  async showAlert() {
    return (await import('./show-alert.ts')).showAlertHere()
  },
  kindOf,
}

export type ProgramParts = typeof programParts
