import type { Person } from '@service-link/protocol-core'
import {
  bridgeProtocol,
  type HandlerName,
  HostCallError,
  type HostHandlers,
  type HostInfo,
  type HostMessage,
  type HostPort,
  type PageAnswer,
  type PageMessage,
} from './messages.ts'

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

/** The wrapper that hosts this page, or the lack of one. */
export interface Host {
  /** Whether the page runs in a wrapper. In an ordinary browser nothing else here has an effect. */
  readonly isHosted: boolean
  /** What the wrapper says of itself; `undefined` in an ordinary browser. */
  readonly info: Promise<HostInfo | undefined>
  /**
   * Says that a user is signed in: commands that wait for it begin. To be called within 10 seconds of connecting: a document that has
   * not said so by then ends the session that there was before it, and 20 seconds later cookies and storage are forgotten.
   */
  signedIn(): void
  /**
   * Says that nobody is signed in any more; to be called once the service has ended the session. Two seconds later, or when a
   * log-out that leads over other sites is back, the wrapper forgets cookies and storage and loads the web app anew.
   */
  signedOut(): void
  /** Tells that a person is in focus, also one that the user chose. Has no effect while nobody is signed in. */
  personSelected(person: Person): void
  /** Takes no further commands. After it, {@link connectHost} may be called again. */
  disconnect(): void
}

/** What {@link connectPort} needs of the page that it is in. */
export interface PageSurroundings {
  /** Adds a listener for the page's return from the browser's cache; the function returned removes it. */
  onReturn(listener: () => void): () => void
  /** Loads the page anew. */
  reload(): void
  /** Told of an error that a handler threw and that the host must not learn of. */
  reportError(error: unknown): void
}

/**
 * Connects handlers to the host through the port that the page script has left.
 *
 * @throws {Error} when the port is connected already
 */
export function connectPort(port: HostPort, handlers: HostHandlers, surroundings: PageSurroundings): Host {
  let isSignedIn = false
  let person: Person | undefined
  let isConnected = true
  let learn: (info: HostInfo | undefined) => void = () => undefined
  const info = new Promise<HostInfo | undefined>(resolve => {
    learn = resolve
  })

  const send = (message: PageMessage) => {
    if (isConnected) port.send(message)
  }
  const introduce = () =>
    send({
      type: 'hello',
      protocol: bridgeProtocol,
      handlers: (Object.keys(handlers) as HandlerName[]).filter(name => handlers[name] !== undefined),
      isSignedIn,
      ...(person ? { person } : {}),
    })
  const receive = (message: HostMessage): unknown => {
    if (message.type === 'call') return answerCall(handlers, message, surroundings.reportError)
    if (message.type === 'introduce') introduce()
    if (message.type === 'welcome') learn(message.info)
    return undefined
  }
  const detach = port.connect(receive)
  // What comes back from the browser's cache may be a page of a session that has ended meanwhile, with its user and its person.
  const stopComingBack = surroundings.onReturn(() => surroundings.reload())
  introduce()

  return {
    isHosted: true,
    info,
    signedIn() {
      isSignedIn = true
      send({ type: 'signedIn' })
    },
    signedOut() {
      isSignedIn = false
      person = undefined
      send({ type: 'signedOut' })
    },
    personSelected(selected) {
      if (!isSignedIn) return
      person = selected
      send({ type: 'personSelected', person: selected })
    },
    disconnect() {
      send({ type: 'bye' })
      if (isConnected) detach()
      isConnected = false
      stopComingBack()
      learn(undefined)
    },
  }
}

const unknownFailure: PageAnswer = {
  type: 'failure',
  code: 'ERR_WEB_APP',
  message: 'The web app could not carry out the command.',
}

/**
 * Has a handler carry out one call. Never rejects: of an error that is not a {@link HostCallError} nothing is passed on,
 * since its message may hold personal data; it goes to the page's own error reporting instead.
 *
 * @param reportError the page's own error reporting
 */
export async function answerCall(
  handlers: HostHandlers,
  { handler: name, args }: Extract<HostMessage, { type: 'call' }>,
  reportError: (error: unknown) => void,
): Promise<PageAnswer> {
  const handler = Object.hasOwn(handlers, name) ? handlers[name as keyof HostHandlers] : undefined
  if (!handler) return unknownFailure
  try {
    return { type: 'result', value: await handler(args as never) }
  } catch (error) {
    if (isHostCallError(error))
      return { type: 'failure', code: error.code, message: error.message, issues: error.issues }
    reportError(error)
    return unknownFailure
  }
}

/** Also one of another copy of this module. */
function isHostCallError(error: unknown): error is HostCallError {
  return error instanceof HostCallError || (error instanceof Error && error.name === 'HostCallError')
}
