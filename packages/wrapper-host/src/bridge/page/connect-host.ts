import type { Person } from '@service-link/protocol-core'
import { answerCall } from './answer-call.ts'
import type { HandlerName } from './handler-names.ts'
import type { HostHandlers } from './host-handlers.ts'
import {
  bridgeProtocol,
  type HostInfo,
  type HostMessage,
  type HostPort,
  type PageMessage,
} from './messages.ts'

/** The wrapper that hosts this page, or the lack of one. */
export interface Host {
  /** Whether the page runs in a wrapper. In an ordinary browser nothing else here has an effect. */
  readonly isHosted: boolean
  /** What the wrapper says of itself; `undefined` in an ordinary browser. */
  readonly info: Promise<HostInfo | undefined>
  /** Says that a user is signed in: commands that wait for it begin. */
  signedIn(): void
  /** Says that nobody is signed in any more. */
  signedOut(): void
  /** Says that a person was put in focus, whoever did it. */
  personSelected(person: Person): void
  /** Takes no further commands. After it, {@link connectHost} may be called again. */
  disconnect(): void
}

/**
 * Connects the web app to the wrapper that hosts it (specification 1: the internal API). Call it once a document, as early as
 * the handlers can work; before that, commands wait.
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
  return port ? connectToPort(port, handlers) : absentHost
}

const absentHost: Host = {
  isHosted: false,
  info: Promise.resolve(undefined),
  signedIn: () => undefined,
  signedOut: () => undefined,
  personSelected: () => undefined,
  disconnect: () => undefined,
}

function connectToPort(port: HostPort, handlers: HostHandlers): Host {
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
    if (message.type === 'call') return answerCall(handlers, message)
    if (message.type === 'introduce') introduce()
    if (message.type === 'welcome') learn(message.info)
    return undefined
  }
  // A page that comes back from the browser's cache runs no script anew, and the host has forgotten it.
  const comeBack = (event: { readonly persisted: boolean }) => {
    if (event.persisted) introduce()
  }

  const detach = port.connect(receive)
  page.addEventListener('pageshow', comeBack)
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
      person = selected
      send({ type: 'personSelected', person: selected })
    },
    disconnect() {
      send({ type: 'bye' })
      if (isConnected) detach()
      isConnected = false
      page.removeEventListener('pageshow', comeBack)
      learn(undefined)
    },
  }
}

/** What is used of a page's global object. */
interface PageGlobal {
  readonly __wrapperHost?: HostPort
  addEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
  removeEventListener(name: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

const page = globalThis as unknown as PageGlobal

function findPort(): HostPort | undefined {
  return page.__wrapperHost?.protocol === bridgeProtocol ? page.__wrapperHost : undefined
}
