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
  /** Says that a person was put in focus, whoever did it. Of no effect while nobody is signed in. */
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
