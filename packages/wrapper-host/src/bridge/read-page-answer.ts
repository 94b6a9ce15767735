import {
  ArgsError,
  type CommandReply,
  type CommandResult,
  commands,
  issuesOf,
  NotFoundError,
  NotSignedInError,
  WebAppError,
} from '@service-link/protocol-core'
import type { PageCommandName } from './bridge.ts'
import { PageGoneError } from './page-gone-error.ts'
import { type ParsedPageAnswer, pageAnswerSchema } from './page-message-schema.ts'

/**
 * Reads what a page answered to a command.
 *
 * @returns the command's reply, checked by the command table
 * @throws {NotFoundError} {@link NotSignedInError} {@link ArgsError} {@link WebAppError} as the page refused
 * @throws {WebAppError} when the page answered in another shape, naming the places without their values
 */
export function readPageAnswer<Name extends PageCommandName>(
  name: Name,
  value: unknown,
): CommandResult<Name> {
  const answer = pageAnswerSchema.safeParse(value).data
  if (!answer) throw new WebAppError(`The web app answered ${name} in an unknown way.`)
  if (answer.type === 'notConnected')
    throw new PageGoneError('The web app is not connected: it is loading, or has no bridge.')
  if (answer.type === 'failure') throw refusal(answer)
  const reply: CommandReply = commands[name].reply
  if (typeof reply === 'string') return undefined as CommandResult<Name>
  const parsed = reply.safeParse(answer.value, { reportInput: true })
  if (parsed.success) return parsed.data as CommandResult<Name>
  const places = issuesOf(parsed.error).map(({ path, problem }) => `${path || 'it'} ${problem}`)
  throw new WebAppError(`The web app answered ${name} in another shape: ${places.join('; ')}.`)
}

function refusal({ code, message, issues }: Extract<ParsedPageAnswer, { type: 'failure' }>) {
  switch (code) {
    case 'ERR_NOT_FOUND':
      return new NotFoundError(message)
    case 'ERR_NOT_SIGNED_IN':
      return new NotSignedInError()
    case 'ERR_ARGS':
      return new ArgsError(issues.length > 0 ? issues : [{ path: '', problem: message }])
    case 'ERR_WEB_APP':
      return new WebAppError(message)
  }
}
