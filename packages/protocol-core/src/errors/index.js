export { ArgsError, ClosingError, CommandTimeoutError, commandErrorCodes, FrameError, JsonError, MethodError, NotFoundError, NotSignedInError, WebAppError, } from './command-error.ts';
export { isServiceLinkError, ServiceLinkError } from './service-link-error.ts';
