export type { Host } from './connect-host.ts'
// Entry for web apps: small, no dependencies, nothing of the host. Withheld: the messages, which are between host and page.
export { connectHost } from './connect-host.ts'
export type { HostHandlers, HostInfo } from './messages.ts'
export { type HostCallCode, HostCallError, type HostCallIssue } from './messages.ts'
