// Entry for web apps: small, no dependencies, nothing of the host. Withheld: the messages, which are between host and page.
export { connectHost } from './connect-host.ts'
export type { Host } from './connect-port.ts'
export { type HostCallCode, HostCallError, type HostCallIssue } from './host-call-error.ts'
export type { HostHandlers } from './host-handlers.ts'
export type { HostInfo } from './messages.ts'
