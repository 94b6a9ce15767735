import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** Why a log-in through the electronic ID came to nothing, with the status of the page that says so and its sentence. */
export const logInProblems = {
  ERR_EID_NOT_SET_UP: [404, 'This service has no log-in through an electronic ID.'],
  ERR_EID_UNAVAILABLE: [
    503,
    'The electronic ID cannot be reached at the moment. Try again in a few minutes.',
  ],
  ERR_EID_GONE: [400, 'This log-in took too long, is finished, or was begun in another browser. Begin anew.'],
  ERR_EID_CANCELLED: [403, 'You were not logged in: the electronic ID did not confirm it.'],
  ERR_EID_ANSWER: [400, 'The answer of the electronic ID does not belong to this log-in. Begin anew.'],
  ERR_EID_NO_NUMBER: [
    403,
    'The electronic ID did not tell your identity number, without which your workouts cannot be found.',
  ],
  ERR_EID_LEVEL: [403, 'That way of logging in is not secure enough here. Choose another one.'],
  ERR_UNAVAILABLE: [503, 'The service cannot do that at the moment. Try again in a minute.'],
  ERR_EID_TOO_MANY: [429, 'There were too many log-ins from your network. Wait a minute and try again.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

/** A stable code of {@link logInProblems}. */
export type LogInProblemCode = keyof typeof logInProblems

/** A log-in that came to nothing. Holds nothing of what the issuer answered, which may be a person's. */
export class LogInProblem extends ServiceLinkError<LogInProblemCode> {
  readonly code: LogInProblemCode

  constructor(code: LogInProblemCode) {
    super(logInProblems[code][1])
    this.code = code
  }
}
