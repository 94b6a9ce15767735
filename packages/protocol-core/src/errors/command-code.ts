import { type CommandErrorCode, commandErrorCodes } from './command-error.ts'

/** The code under which a failure travels: its own if it is a command's, else `ERR_WEB_APP`. */
export function commandCodeOf(code: unknown): CommandErrorCode {
  return commandErrorCodes.find(known => known === code) ?? 'ERR_WEB_APP'
}
