import type { EndReason, Person } from '@service-link/protocol-core'
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
  isOtherPerson,
  type PageAnswer,
  type PersonIds,
  type UnsavedWork,
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
  personCleared: () => undefined,
}

/** The parts of a page's global object that are used. */
interface PageGlobal {
  readonly __wrapperHost?: HostPort
  readonly reportError?: (error: unknown) => void
  readonly location?: { reload(): void }
  readonly document: { readonly visibilityState: string }
  addEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
  requestAnimationFrame(callback: () => void): void
}

const page = globalThis as unknown as PageGlobal

const surroundings: PageSurroundings = {
  onReturn: listener => page.addEventListener('pageshow', ({ persisted }) => persisted && listener()),
  reload: () => page.location?.reload(),
  reportError: error => page.reportError?.(error),
  untilDrawn: () => (page.document.visibilityState === 'visible' ? nextFrame() : undefined),
}

/** Longest wait for a frame, in milliseconds: a locked screen may draw none. */
const frameMs = 1000

/** Waits until what stands in the document is on the screen. */
function nextFrame(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, frameMs)
    page.requestAnimationFrame(() => page.requestAnimationFrame(() => resolve()))
  })
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
   *
   * @param user a name of the account that no other has, for `restoreUnsaved`. Another one than before also says that the former user
   *   is signed out
   */
  signedIn(user?: string): void
  /**
   * Says that nobody is signed in any more. Call it when the service has ended the session. The wrapper then removes cookies and
   * storage and loads the web app anew: after 2 seconds, or when a log-out over other sites has returned.
   *
   * @param reason Default: the user did it
   * @param unsaved what the user has not saved: the wrapper removes what the document keeps, and gives this to `restoreUnsaved`. Default:
   *   nothing
   */
  signedOut(reason?: EndReason, unsaved?: UnsavedWork): void
  /**
   * Says which person is in focus, also after a choice of the user. Call it when the person stands in the document: the wrapper
   * learns of it once that is on the screen. Has no effect while nobody is signed in.
   */
  personSelected(person: Person): void
  /**
   * Says that nobody is in focus any more, and nothing in the document shows who was.
   *
   * @param reason Default: the journal during `clearPerson` and `selectPerson`, else the user
   */
  personCleared(reason?: EndReason): void
}

/** Functions of the page that {@link connectPort} needs. */
interface PageSurroundings {
  /** Adds a listener for the page's return from the browser's cache. */
  onReturn(listener: () => void): void
  /** Loads the page anew. */
  reload(): void
  /** Gets an error of a handler, which the host must not see. */
  reportError(error: unknown): void
  /** Waits until what stands in the document is on the screen; `undefined` if nobody can see it. Default: nobody can. */
  untilDrawn?(): Promise<void> | undefined
}

/**
 * Connects handlers to the host through the port of the page script.
 *
 * @throws {Error} when the port is connected already
 */
export function connectPort(port: HostPort, handlers: HostHandlers, surroundings: PageSurroundings): Host {
  let isSignedIn = false
  /** Number of sessions of this document so far. */
  let session = 0
  let signedInUser: string | undefined
  let person: Person | undefined
  /** The person whom the wrapper has been told of. */
  let told: Person | undefined
  /** The person whom the wrapper has not been told of. */
  let untold: Person | undefined
  /** Whether the page may show a person of whom it has not told: a stopped handler has resolved, or the session has just begun. */
  let isUnsure = false
  /** Number of reports about the focus. */
  let reports = 0
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
      session,
      ...(isSignedIn && signedInUser !== undefined ? { user: signedInUser } : {}),
      ...(told ? { person: told } : {}),
    })
  /** How to stop each handler at work. */
  const atWork = new Map<HostCall, AbortController>()
  const carryOut = async (call: HostCall) => {
    if (call.session !== undefined && !(isSignedIn && call.session === session)) return otherUser
    if (call.handler === 'clearPerson' && isForOther(call.args))
      return { type: 'result', value: undefined } satisfies PageAnswer
    // The later choice counts, also if the wrapper no longer waits for the earlier one.
    if (isFocusing(call)) for (const [other, stop] of atWork) if (isFocusing(other)) stop.abort()
    const stop = new AbortController()
    atWork.set(call, stop)
    const before = reports
    const answer = await answerCall(handlers, call, stop.signal, surroundings.reportError)
    if (isFocusing(call) && answer.type === 'result' && isOf(call)) {
      if (stop.signal.aborted) isUnsure ||= reports === before
      else {
        if (reports === before) follow(call, answer.value)
        const drawing = untold
        await surroundings.untilDrawn?.()
        tell(drawing)
      }
    }
    if (call.handler === 'setCustomId' && answer.type === 'result' && isOf(call)) rename(call.args)
    atWork.delete(call)
    return answer
  }
  /** The person in focus may have got another id, by which it is to be known and cleared. */
  const rename = (args: unknown) => {
    const { userId, customId } = Object(args)
    if (!person || person.userId !== userId || person.customId === customId) return
    const renamed = { ...person, customId }
    // One that is being drawn is told of by its own report.
    if (untold) person = renamed
    else host.personSelected(renamed)
  }
  /** Whether a call is to clear one person, who is not in focus. */
  const isForOther = (ids: unknown) => {
    const { userId, customId }: PersonIds = Object(ids)
    if ((userId ?? customId) === undefined || isUnsure) return false
    return !person || isOtherPerson(person, { userId, customId })
  }
  const isOf = (call: HostCall) => isSignedIn && (call.session ?? session) === session
  /** Reports what a handler has done, and has not reported itself. */
  const follow = ({ handler, args }: HostCall, value: unknown) => {
    if (handler === 'clearPerson') host.personCleared()
    else host.personSelected({ ...(args as Person), ...idsOf(value) })
  }
  const tell = (drawn: Person | undefined) => {
    if (drawn === undefined || drawn !== untold) return
    told = drawn
    untold = undefined
    port.send({ type: 'personSelected', person: drawn })
  }
  const receive = (sent: unknown): unknown => {
    const message = hostMessageSchema.safeParse(sent).data
    if (!message) return undefined
    if (message.type === 'call') return carryOut(message)
    if (message.type === 'cancel') for (const [call, stop] of atWork) if (call.id === message.id) stop.abort()
    if (message.type === 'introduce') introduce()
    if (message.type === 'welcome') learn(message.info)
    return undefined
  }
  const forget = () => {
    reports++
    person = undefined
    told = undefined
    untold = undefined
    isUnsure = false
  }
  const host: Host = {
    isHosted: true,
    info,
    signedIn(user) {
      if (user !== undefined && signedInUser !== undefined && user !== signedInUser) host.signedOut()
      if (!isSignedIn) {
        session++
        // The document before, or the same user before, may have left a person whom the page is about to show.
        isUnsure = true
      }
      isSignedIn = true
      signedInUser = user
      port.send({ type: 'signedIn', session, user })
    },
    signedOut(reason, unsaved) {
      isSignedIn = false
      signedInUser = undefined
      forget()
      // At once: the next user may be there before the wrapper can say so.
      for (const [call, stop] of atWork) if (call.session !== undefined) stop.abort()
      port.send({ type: 'signedOut', reason, ...(unsaved ? { unsaved } : {}) })
    },
    personSelected(selected) {
      if (!isSignedIn) return
      reports++
      person = selected
      untold = selected
      isUnsure = false
      const drawn = surroundings.untilDrawn?.()
      if (drawn) void drawn.then(() => tell(selected))
      else tell(selected)
    },
    personCleared(reason) {
      if (!isSignedIn) return
      const isKnown = person !== undefined
      forget()
      if (!isKnown) return
      const isAsked = [...atWork.keys()].some(isFocusing)
      port.send({ type: 'personCleared', reason: reason ?? (isAsked ? 'journal' : 'user') })
    },
  }
  port.connect(receive)
  // The session of a document from the browser's cache may have ended since.
  surroundings.onReturn(() => surroundings.reload())
  introduce()
  return host
}

type HostCall = Extract<HostMessage, { type: 'call' }>

/** Whether a call decides who is in focus. */
function isFocusing({ handler }: Pick<HostCall, 'handler'>): boolean {
  return handler === 'selectPerson' || handler === 'clearPerson'
}

/** The ids in the reply of `selectPerson`: the wrapper knows the person by them. */
function idsOf(reply: unknown): Partial<Person> {
  const { userId, customId } = Object(reply)
  return {
    ...(typeof userId === 'number' ? { userId } : {}),
    ...(typeof customId === 'string' && customId !== '' ? { customId } : {}),
  }
}

/** The user for whom the call was has signed out. */
const otherUser: PageAnswer = {
  type: 'failure',
  code: 'ERR_NOT_SIGNED_IN',
  message: 'The user for whom this was has signed out.',
}

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
