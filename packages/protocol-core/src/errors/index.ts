// The errors that all packages share. A separate entry, so that a short-lived process need not load the schemas.
export type { ArgsIssue, CommandError, CommandErrorCode } from './command-error.ts'
export {
  ArgsError,
  BusyError,
  CancelledError,
  ClosingError,
  CommandTimeoutError,
  commandErrorCodes,
  FrameError,
  JsonError,
  MethodError,
  NotFoundError,
  NotSignedInError,
  SupersededError,
  WebAppError,
} from './command-error.ts'
export {
  type DefineError,
  defineError,
  defineErrorOf,
  type ErrorClass,
  isServiceLinkError,
  ServiceLinkError,
} from './define-error.ts'
export { docsSite, docsUrlOf } from './docs-url.ts'
export {
  assertMeasure,
  assertParameter,
  findNearName,
  isName,
  isObject,
  type Measure,
  ParameterError,
  type ParameterKind,
} from './parameter-error.ts'
