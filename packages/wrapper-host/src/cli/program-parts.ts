import { docsUrlOf, isServiceLinkError } from '@service-link/protocol-core/errors'
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
  /** What is told of an error. The message of an unknown one may name a person. */
  nameFailure(error: unknown): {
    readonly message: string
    readonly code: string
    readonly docsUrl: string | undefined
  } {
    if (isServiceLinkError(error)) return error
    const code = 'ERR_INTERNAL'
    const message = `Something failed that should not have (${kindOf(error)}). Report it.`
    return { message, code, docsUrl: docsUrlOf(code) }
  },
}

export type ProgramParts = typeof programParts
