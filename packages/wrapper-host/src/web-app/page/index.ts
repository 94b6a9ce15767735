// Entry for web apps. Withheld: the messages between host and page, so that they can change.
export { connectHost, type Host } from './connect-host.ts'
export {
  type CommandWay,
  type HostCallCode,
  HostCallError,
  type HostCallIssue,
  type HostHandlers,
  type HostInfo,
  type LaunchParameters,
  type UnsavedWork,
} from './messages.ts'
