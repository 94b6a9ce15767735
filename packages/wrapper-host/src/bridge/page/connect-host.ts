import { connectPort, type Host, type PageSurroundings } from './connect-port.ts'
import type { HostHandlers } from './host-handlers.ts'
import { bridgeProtocol, type HostPort } from './messages.ts'

/**
 * Connects the web app to the wrapper that hosts it (specification 1: the internal API). Call it once a document, as early as
 * the handlers can work; before that, commands wait. A document that the browser brings back from its cache (`pageshow` with
 * `persisted`) is loaded anew, so that it asks the service who is signed in.
 *
 * @param handlers what the web app does for each command. Arguments are those of the pipe (specification 4.5), read and
 *   checked; `selectPerson` gets the person. To refuse, throw a {@link HostCallError}
 * @throws {Error} when the document is connected already
 * @example
 * ```ts
 * import { connectHost } from '@service-link/wrapper-host/page'
 *
 * const host = connectHost({
 *   async selectPerson(person) {
 *     return { status: 'selected', userid: 17, customid: person.customId ?? '' }
 *   },
 * })
 * host.signedIn()
 * ```
 */
export function connectHost(handlers: HostHandlers): Host {
  const port = findPort()
  return port ? connectPort(port, handlers, surroundings) : absentHost
}

const absentHost: Host = {
  isHosted: false,
  info: Promise.resolve(undefined),
  signedIn: () => undefined,
  signedOut: () => undefined,
  personSelected: () => undefined,
  disconnect: () => undefined,
}

/** What is used of a page's global object. */
interface PageGlobal {
  readonly __wrapperHost?: HostPort
  readonly reportError?: (error: unknown) => void
  readonly location?: { reload(): void }
  addEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
  removeEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

const page = globalThis as unknown as PageGlobal

const surroundings: PageSurroundings = {
  onReturn(listener) {
    const comeBack = (event: { readonly persisted: boolean }) => {
      if (event.persisted) listener()
    }
    page.addEventListener('pageshow', comeBack)
    return () => page.removeEventListener('pageshow', comeBack)
  },
  reload: () => page.location?.reload(),
  reportError: error => page.reportError?.(error),
}

function findPort(): HostPort | undefined {
  return page.__wrapperHost?.protocol === bridgeProtocol ? page.__wrapperHost : undefined
}
