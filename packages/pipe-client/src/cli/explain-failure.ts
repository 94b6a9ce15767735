import { UsageError } from '@service-link/command-line'
import type { CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  PipeAmbiguousError,
  PipeClosedError,
  PipeNotFoundError,
  PipeRefusedError,
  PipeTimeoutError,
  PipeTooOldError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'

/** A failed call. */
interface FailedCall {
  /** Name of the command; `undefined` where none was named. */
  readonly command: string | undefined
  /** Name of the wrapper's executable on this machine. */
  readonly executable: string
}

/** A failure in words. */
interface Explanation {
  /** The fault. */
  readonly sentence: string
  /** The next step, with the command to type. */
  readonly advice: string
}

/** Explains a failure, and what to do next. Repeats no argument. */
export function explainFailure(error: ServiceLinkError, call: FailedCall): Explanation {
  const { command = '<command>', executable } = call
  if (error instanceof UsageError) return { sentence: error.message, advice: adviceOnUsage(call) }
  if (error instanceof PipeNotFoundError) return explainNotFound(error, call)
  if (error instanceof PipeAmbiguousError)
    return {
      sentence: describeChoice(error.pids),
      advice: `See which is which with service-pipe list and service-pipe status --pid …, then name it: service-pipe ${command} --pid …`,
    }
  if (error instanceof PipeTooOldError)
    return {
      sentence: `The wrapper that is running has version ${error.wrapperVersion}, which is too old for this program.`,
      advice: 'Update the wrapper, start it again, and repeat the command.',
    }
  if (error instanceof PipeRefusedError)
    return { sentence: error.message, advice: adviceOnRefusal(error.commandCode, call) }
  if (error instanceof PipeTimeoutError)
    return { sentence: error.message, advice: error.wasSent ? adviceOnSilence(command) : adviceOnUnopened }
  if (error instanceof PipeClosedError && command === 'watch')
    return {
      sentence: 'The connection to the wrapper was lost.',
      advice: 'Events may have been missed. Go on watching: service-pipe watch',
    }
  if (error instanceof PipeClosedError)
    return { sentence: error.message, advice: error.wasSent ? adviceOnLoss : adviceOnUnopened }
  switch (error.code) {
    case 'ERR_PIPE_UNSUPPORTED':
      if (error instanceof PipeUnsupportedError && error.wrapperProtocol !== undefined)
        return { sentence: error.message, advice: 'Update service-pipe, and repeat the command.' }
      return {
        sentence: `The wrapper that is running is too old for ${command}.`,
        advice: adviceOnUnsupported(call),
      }
    case 'ERR_PIPE_DENIED':
      return {
        sentence: error.message,
        advice:
          command === 'list'
            ? 'Name the wrapper by its process id: service-pipe status --pid …'
            : 'See which wrappers are yours: service-pipe list. If one was to be started, install it where nobody else may write.',
      }
    case 'ERR_PIPE_UNPROVEN':
      return {
        sentence: error.message,
        advice:
          'Do not send it again. Have the administrator find out which process has the pipe, and of which user.',
      }
    case 'ERR_PIPE_REPLY':
      return {
        sentence: error.message,
        advice:
          'Another program may have taken the name of the pipe. See as which process it runs: service-pipe list',
      }
    case 'ERR_PIPE_NOT_INSTALLED':
      return {
        sentence: error.message,
        advice: `Install the wrapper, start ${executable} once by hand, and repeat the command.`,
      }
    case 'ERR_PIPE_START':
      return { sentence: error.message, advice: `Find out what is wrong: ${executable} doctor` }
    case 'ERR_PIPE_OVERFLOW':
      return {
        sentence: 'More events happened than the reader of standard output took.',
        advice: 'Read faster, or watch fewer kinds of event: service-pipe watch personselected',
      }
    case 'ERR_FRAME':
      return { sentence: error.message, advice: 'Send less: a wrapper accepts 1 MiB of arguments.' }
    default:
      return { sentence: error.message, advice: 'See what there is: service-pipe --help' }
  }
}

const adviceOnUnopened = 'Try again in a moment. See whether it is still running: service-pipe list'

const adviceOnLoss =
  'See in its window whether it was done before you repeat the command. See whether it is still running: service-pipe list'

function adviceOnUsage({ command }: FailedCall): string {
  return `See ${['service-pipe', command, '--help'].filter(Boolean).join(' ')}`
}

function explainNotFound(
  { pid, otherSessionPids }: PipeNotFoundError,
  { command = '<command>', executable }: FailedCall,
): Explanation {
  if (otherSessionPids.length > 0)
    return {
      sentence: `No wrapper runs in this login session; this user has others elsewhere: ${listed(otherSessionPids)}.`,
      advice: `Start one here: service-pipe ${command} --start. Or, if another is meant: service-pipe ${command} --pid …`,
    }
  if (pid === undefined)
    return {
      sentence: 'No wrapper of this user is running.',
      advice: `Run ${executable}, or let this command start it first: service-pipe ${command} --start`,
    }
  return {
    sentence: `No wrapper of this user runs as process ${pid}.`,
    advice: 'See which are running: service-pipe list',
  }
}

function describeChoice(pids: readonly number[]): string {
  return `Several wrappers of this user are running: ${listed(pids)}.`
}

function adviceOnSilence(command: string): string {
  return `See in its window whether it was done before you repeat the command. To wait longer: service-pipe ${command} --timeout 120`
}

function adviceOnUnsupported({ command, executable }: FailedCall): string {
  const update = 'Update the wrapper to version 3.0.0.0 or newer'
  return command === 'queryexercises' || command === 'queryworkouts'
    ? `${update}, or search by a launch: ${executable} ${command}=…`
    : `${update}.`
}

function listed(pids: readonly number[]): string {
  if (pids.length === 1) return `process ${pids[0]}`
  return `processes ${pids.slice(0, -1).join(', ')} and ${pids.at(-1)}`
}

const notFound: Readonly<Record<string, string>> = {
  openworkout: 'Find the id of a workout: service-pipe getworkoutsforclient userid=…',
}

const perhapsDone = 'See in its window whether it was done before you repeat the command.'

const ours =
  'The wrapper and this program do not understand each other; update whichever is older. The wrapper’s version: service-pipe version'

/** Advice by the wrapper's own code. */
function adviceOnRefusal(code: CommandErrorCode, { command = '<command>', executable }: FailedCall): string {
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

/** Exit codes of `service-pipe`: 0 done, 2 usage, 3 no wrapper, 4 refused. Stable: scripts read them. */
export type ExitCode = 0 | 2 | 3 | 4

/** Codes of an unusable command line: nothing was sent. */
const usageCodes = ['ERR_USAGE', 'ERR_PIPE_AMBIGUOUS', 'ERR_FRAME']

const noWrapperCodes = ['ERR_PIPE_NOT_FOUND', 'ERR_PIPE_NOT_INSTALLED', 'ERR_PIPE_START']

/** The exit code for an error's code. */
export function exitCodeOf(code: string): ExitCode {
  if (usageCodes.includes(code)) return 2
  return noWrapperCodes.includes(code) ? 3 : 4
}
