import type { CommandErrorCode } from '@service-link/protocol-core/errors'
import type { FailedCall } from './failed-call.ts'

const notFound: Readonly<Record<string, string>> = {
  openworkout: 'Find the id of a workout: service-pipe getworkoutsforclient userid=…',
}

const perhapsDone = 'See in its window whether it was done before you repeat the command.'

const ours =
  'The wrapper and this program do not understand each other; update whichever is older. The wrapper’s version: service-pipe version'

/** What to do after the wrapper has refused a command, by its own code. */
export function adviceOnRefusal(
  code: CommandErrorCode,
  { command = '<command>', executable }: FailedCall,
): string {
  switch (code) {
    case 'ERR_ARGS':
      return `See what it takes: service-pipe ${command} --help`
    case 'ERR_NOT_FOUND':
      return notFound[command] ?? 'Find the id of a person: service-pipe getlistofusers'
    case 'ERR_NOT_SIGNED_IN':
      return `Sign in in the wrapper’s window, which service-pipe show brings to the front, and repeat the command.`
    case 'ERR_TIMEOUT':
      return perhapsDone
    case 'ERR_CANCELLED':
      return perhapsDone
    case 'ERR_WEB_APP':
      return `The wrapper’s log says more. See where it is, and whether all is well: ${executable} doctor`
    case 'ERR_CLOSING':
      return `Wait until it has exited, and start it again: service-pipe ${command} --start`
    case 'ERR_BUSY':
      return 'Nothing was done. Repeat the command in a moment.'
    case 'ERR_FRAME':
    case 'ERR_JSON':
    case 'ERR_METHOD':
      return ours
  }
}
