import { connectHost, type Host } from '@service-link/wrapper-host/page'
import { hostHandlers } from './host-handlers.ts'

let host: Host | undefined

/** Connects the page to the wrapper that hosts it, if one does. To be called once. */
export function startHost(): void {
  host ??= connectHost(hostHandlers)
}

/** The wrapper; `undefined` before {@link startHost}. In an ordinary browser nothing it is told has an effect. */
export function currentHost(): Host | undefined {
  return host
}
