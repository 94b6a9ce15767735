export type { Host } from './connect-host.ts'
// Entry for web apps: small, no dependencies, nothing of the host. Withheld: the messages, which are between host and page.
export { connectHost } from './connect-host.ts'
export type { HostHandlers } from './handlers.ts'
export { type HostCallCode, HostCallError, type HostCallIssue } from './handlers.ts'
export type { HostInfo } from './messages.ts'
