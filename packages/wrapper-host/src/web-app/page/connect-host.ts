import type { Person } from '@service-link/protocol-core'
import {
  allHandlerNames,
  bridgeProtocol,
  type HandlerName,
  HostCallError,
  type HostHandlers,
  type HostInfo,
  type HostMessage,
  type HostPort,
  hostMessageSchema,
  type PageAnswer,
} from './messages.ts'

/**
 * Connects the web app to the wrapper that hosts it (spec 1: the internal API). Call it once a document, as soon as the
 * handlers can work: commands wait for it. A document from the browser's cache (`pageshow` with `persisted`) is loaded anew, so
 * that it asks the service who is signed in.
 *
 * @param handlers a function for each command that the web app has. It gets the arguments of the command (spec 4.5), parsed
 *   and checked, with `customId` and `userId`; `selectPerson` gets the person. Then an `AbortSignal`, which aborts when nobody waits
 *   any more, and how the command came. To refuse, throw a {@link HostCallError}
 * @throws {TypeError} when a handler's name is not known or a handler is no function
 * @throws {Error} when the document is connected already
 * @example
 * ```ts
 * import { connectHost } from '@service-link/wrapper-host/page'
 *
 * const host = connectHost({
 *   async selectPerson(person, signal) {
 *     const body = JSON.stringify(person)
 *     const answer = await fetch('/select', { method: 'POST', body, signal })
 *     return answer.json()
 *   },
 * })
 * host.signedIn()
 * ```
 */
export function connectHost(handlers: HostHandlers): Host {
  assertHandlers(handlers)
  const port = findPort()
  return port ? connectPort(port, handlers, surroundings) : absentHost
}

/** Commands of a misspelled handler would be refused as if the web app had none, so the page learns of it at once. */
function assertHandlers(handlers: HostHandlers): void {
  if (typeof handlers !== 'object' || handlers === null)
    throw new TypeError('connectHost needs an object of handlers, such as { selectPerson }.')
  const known: readonly string[] = allHandlerNames
  for (const [name, handler] of Object.entries(handlers)) {
    const near = known.find(one => one.toLowerCase() === name.toLowerCase())
    const hint = near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${near}?`
    if (near !== name) throw new TypeError(`connectHost has no handler ${name}. ${hint}`)
    if (handler !== undefined && typeof handler !== 'function')
      throw new TypeError(`The handler ${name} must be a function.`)
  }
}

const absentHost: Host = {
  isHosted: false,
  info: Promise.resolve(undefined),
  signedIn: () => undefined,
  signedOut: () => undefined,
  personSelected: () => undefined,
}

/** The parts of a page's global object that are used. */
interface PageGlobal {
  readonly __wrapperHost?: HostPort
  readonly reportError?: (error: unknown) => void
  readonly location?: { reload(): void }
  addEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

const page = globalThis as unknown as PageGlobal

const surroundings: PageSurroundings = {
  onReturn: listener => page.addEventListener('pageshow', ({ persisted }) => persisted && listener()),
  reload: () => page.location?.reload(),
  reportError: error => page.reportError?.(error),
}

function findPort(): HostPort | undefined {
  return page.__wrapperHost?.protocol === bridgeProtocol ? page.__wrapperHost : undefined
}

/** The wrapper that hosts this page. In an ordinary browser there is none. */
export interface Host {
  /** Whether the page runs in a wrapper. If not, the other members have no effect. */
  readonly isHosted: boolean
  /** Facts about the wrapper; `undefined` in an ordinary browser. */
  readonly info: Promise<HostInfo | undefined>
  /**
   * Says that a user is signed in. Waiting commands then begin. Call it within 10 seconds of connecting. Otherwise the session of
   * the document before ends, and 20 seconds later the wrapper removes cookies and storage.
   */
  signedIn(): void
  /**
   * Says that nobody is signed in any more. Call it when the service has ended the session. The wrapper then removes cookies and
   * storage and loads the web app anew: after 2 seconds, or when a log-out over other sites has returned.
   */
  signedOut(): void
  /** Says which person is in focus, also after a choice of the user. Has no effect while nobody is signed in. */
  personSelected(person: Person): void
}

/** Functions of the page that {@link connectPort} needs. */
interface PageSurroundings {
  /** Adds a listener for the page's return from the browser's cache. */
  onReturn(listener: () => void): void
  /** Loads the page anew. */
  reload(): void
  /** Gets an error of a handler, which the host must not see. */
  reportError(error: unknown): void
}

/**
 * Connects handlers to the host through the port of the page script.
 *
 * @throws {Error} when the port is connected already
 */
export function connectPort(port: HostPort, handlers: HostHandlers, surroundings: PageSurroundings): Host {
  let isSignedIn = false
  let person: Person | undefined
  let learn: (info: HostInfo) => void = () => undefined
  const info = new Promise<HostInfo>(resolve => {
    learn = resolve
  })

  const introduce = () =>
    port.send({
      type: 'hello',
      protocol: bridgeProtocol,
      handlers: (Object.keys(handlers) as HandlerName[]).filter(name => handlers[name] !== undefined),
      isSignedIn,
      ...(person ? { person } : {}),
    })
  /** How to stop each handler at work. */
  const atWork = new Map<number, AbortController>()
  const carryOut = async (call: HostCall) => {
    const stop = new AbortController()
    const { id } = call
    if (id !== undefined) atWork.set(id, stop)
    const answer = await answerCall(handlers, call, stop.signal, surroundings.reportError)
    if (id !== undefined) atWork.delete(id)
    return answer
  }
  const receive = (sent: unknown): unknown => {
    const message = hostMessageSchema.safeParse(sent).data
    if (!message) return undefined
    if (message.type === 'call') return carryOut(message)
    if (message.type === 'cancel') atWork.get(message.id)?.abort()
    if (message.type === 'introduce') introduce()
    if (message.type === 'welcome') learn(message.info)
    return undefined
  }
  port.connect(receive)
  // The session of a document from the browser's cache may have ended since.
  surroundings.onReturn(() => surroundings.reload())
  introduce()

  return {
    isHosted: true,
    info,
    signedIn() {
      isSignedIn = true
      port.send({ type: 'signedIn' })
    },
    signedOut() {
      isSignedIn = false
      person = undefined
      port.send({ type: 'signedOut' })
    },
    personSelected(selected) {
      if (!isSignedIn) return
      person = selected
      port.send({ type: 'personSelected', person: selected })
    },
  }
}

type HostCall = Extract<HostMessage, { type: 'call' }>

const unknownFailure: PageAnswer = {
  type: 'failure',
  code: 'ERR_WEB_APP',
  message: 'The web app could not carry out the command.',
}

/**
 * Calls a handler. Never rejects. An error that is no {@link HostCallError} goes to the page's error reporting only: its message may
 * hold personal data. One of a handler that was stopped goes nowhere.
 *
 * @param reportError the page's error reporting
 */
async function answerCall(
  handlers: HostHandlers,
  { handler: name, args, via }: HostCall,
  signal: AbortSignal,
  reportError: (error: unknown) => void,
): Promise<PageAnswer> {
  const handler = Object.hasOwn(handlers, name) ? handlers[name as keyof HostHandlers] : undefined
  if (!handler) return unknownFailure
  try {
    return { type: 'result', value: await handler(args as never, signal, via) }
  } catch (error) {
    if (isHostCallError(error))
      return { type: 'failure', code: error.code, message: error.message, issues: error.issues }
    if (!signal.aborted) reportError(error)
    return unknownFailure
  }
}

/** The error may come from another copy of this module. */
function isHostCallError(error: unknown): error is HostCallError {
  return error instanceof HostCallError || (error instanceof Error && error.name === 'HostCallError')
}
