import type { CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  mayHaveEffect,
  type PipeErrorCode,
  PipeNotFoundError,
  PipeRefusedError,
} from '../errors/pipe-error.ts'

/** A failed call. */
interface FailedCall {
  /** Name of the command; `undefined` where none was named. */
  readonly command: string | undefined
  /** Name of the wrapper's executable on this machine. */
  readonly executable: string
}

/** Says what to do after a failure, with the command to type. Repeats no argument. */
export function adviseOn(error: ServiceLinkError, call: FailedCall): string {
  const { command, executable } = call
  if (error instanceof PipeRefusedError) return adviseOnRefusal(error.commandCode, call)
  const again = `service-pipe ${command ?? '<subcommand>'}`
  if (error instanceof PipeNotFoundError && error.pid !== undefined)
    return `See which are running: service-pipe list. A wrapper before 3.0.0.0, or of another maker: ${again} --pid … --classic`
  const wasSent = 'wasSent' in error && error.wasSent === true
  const seeFirst = mayHaveEffect(command) ? `${perhapsDone} ` : ''
  const advices: Readonly<Record<PipeErrorCode | 'ERR_FRAME' | 'ERR_DESKTOP_UNKNOWN', string>> = {
    ERR_PIPE_NOT_FOUND: `Run ${executable}, or let this command start it first: ${again} --start`,
    ERR_PIPE_AMBIGUOUS: `See which is which with service-pipe list and service-pipe status --pid …, then name it: ${again} --pid …`,
    ERR_DESKTOP_UNKNOWN: `See the wrappers of all desktops with service-pipe list, then name one: ${again} --pid …`,
    ERR_PIPE_DENIED:
      'See which wrappers are yours: service-pipe list. If one was to be started, install it where nobody else may write.',
    ERR_PIPE_UNPROVEN:
      'Do not send it again. Have the administrator find out which process has the pipe, and of which user.',
    ERR_PIPE_TIMEOUT: wasSent ? `${seeFirst}To wait longer: ${again} --timeout 120` : later,
    ERR_PIPE_CLOSED: wasSent ? `${seeFirst}See whether it is still running: service-pipe list` : later,
    ERR_PIPE_REPLY:
      'Another program may have taken the name of the pipe. See as which process it runs: service-pipe list',
    ERR_PIPE_REFUSED: perhapsDone,
    ERR_PIPE_TOO_OLD: 'Update the wrapper, start it again, and repeat the command.',
    ERR_PIPE_UNSUPPORTED:
      'Update the wrapper, or this program, whichever is older. The wrapper’s version: service-pipe version',
    ERR_PIPE_NOT_INSTALLED: `Install the wrapper, start ${executable} once by hand, and repeat the command.`,
    ERR_PIPE_START: `Find out what is wrong: ${executable} doctor`,
    ERR_PIPE_OVERFLOW: 'Read faster, or watch fewer kinds of event: service-pipe watch personselected',
    ERR_FRAME: 'Send less: a wrapper accepts 1 MiB of arguments.',
  }
  const advice: string | undefined = advices[error.code as PipeErrorCode]
  return advice ?? `See ${['service-pipe', command, '--help'].filter(Boolean).join(' ')}`
}

const later = 'Try again in a moment. See whether it is still running: service-pipe list'

const perhapsDone = 'See in its window whether it was done before you repeat the command.'

const misunderstood =
  'The wrapper and this program do not understand each other; update whichever is older. The wrapper’s version: service-pipe version'

/** Advice by the wrapper's own code. */
function adviseOnRefusal(code: CommandErrorCode, { command, executable }: FailedCall): string {
  const done = mayHaveEffect(command) ? perhapsDone : 'Repeat the command.'
  const advices: Readonly<Record<CommandErrorCode, string>> = {
    ERR_ARGS: `See what it takes: service-pipe ${command} --help`,
    ERR_NOT_FOUND:
      command === 'openworkout'
        ? 'Find the id of a workout: service-pipe getworkoutsforclient userid=…'
        : 'Find the id of a person: service-pipe getlistofusers',
    ERR_NOT_SIGNED_IN:
      'Sign in in the wrapper’s window, which service-pipe show brings to the front, and repeat the command.',
    ERR_TIMEOUT: done,
    ERR_CANCELLED: done,
    ERR_SUPERSEDED: 'See who is in focus now: service-pipe status',
    ERR_WEB_APP: `The wrapper’s log says more. See where it is, and whether all is well: ${executable} doctor`,
    ERR_CLOSING: `Wait until it has exited, and start it again: service-pipe ${command} --start`,
    ERR_BUSY: 'Nothing was done. Repeat the command in a moment.',
    ERR_FRAME: misunderstood,
    ERR_JSON: misunderstood,
    ERR_METHOD: misunderstood,
  }
  return advices[code]
}

/** Exit codes of `service-pipe`: 0 done, 2 usage, 3 no wrapper, 4 refused. Stable: scripts read them. */
export type ExitCode = 0 | 2 | 3 | 4

/** Codes of an unusable command line: nothing was sent. */
const usageCodes = ['ERR_USAGE', 'ERR_PIPE_AMBIGUOUS', 'ERR_DESKTOP_UNKNOWN', 'ERR_FRAME']

const noWrapperCodes = ['ERR_PIPE_NOT_FOUND', 'ERR_PIPE_NOT_INSTALLED', 'ERR_PIPE_START']

/** The exit code for an error's code. */
export function exitCodeOf(code: string): ExitCode {
  if (usageCodes.includes(code)) return 2
  return noWrapperCodes.includes(code) ? 3 : 4
}
