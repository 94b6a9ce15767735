import { compileFunction } from 'node:vm'
import type { Person } from '@service-link/protocol-core'
import { type JsonValue, PageCallError, type PageCallFault } from '@service-link/window-engine'
import { connectPort, type Host } from '../web-app/page/connect-host.ts'
import {
  type HandlerName,
  type HostHandlers,
  type HostPort,
  handlerNames,
  signOutHandler,
} from '../web-app/page/messages.ts'

/** What pages keep for the time of their session, as cookies do: whether somebody is signed in. */
export interface MemorySession {
  isSignedIn: boolean
}

/** What the page script leaves in a document. */
interface DocumentGlobal {
  __wrapperHost?: HostPort & { readonly receive?: unknown }
}

/** What a {@link MemoryDocument} is made of. */
export interface MemoryDocumentOptions {
  readonly origin: string
  /** Source of the page script; absent where the page may not talk to the host. */
  readonly pageScript?: string
  /** Gets what the page sends, as it comes out of JSON. */
  receive(value: unknown): void
}

/** A document without a screen: a global object in which the page script has run. Values travel as JSON text. */
export class MemoryDocument {
  readonly origin: string
  readonly #global: DocumentGlobal = {}
  readonly #isCallable: boolean
  readonly #ending = new AbortController()

  constructor({ origin, pageScript, receive }: MemoryDocumentOptions) {
    this.origin = origin
    this.#isCallable = pageScript !== undefined
    if (pageScript === undefined) return
    const send = (value: unknown) => {
      const text = JSON.stringify(value)
      if (typeof text !== 'string') throw new TypeError('Only JSON values can be sent to the host.')
      if (!this.signal.aborted) receive(JSON.parse(text))
    }
    compileFunction(`return (${pageScript})(send)`, ['globalThis', 'send'])(this.#global, send)
  }

  /** What the web app in this document finds of the host. */
  get port(): HostPort | undefined {
    return this.#global.__wrapperHost
  }

  /** Aborted, with a {@link PageCallError}, when the document is gone. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Ends the document. */
  end(fault: PageCallFault): void {
    this.#ending.abort(new PageCallError(fault))
  }

  /**
   * Calls what the page script left as `receive`.
   *
   * @throws {PageCallError} `foreign-origin`, `no-listener`, `rejected`
   */
  async call(value: JsonValue): Promise<unknown> {
    if (!this.#isCallable) throw new PageCallError('foreign-origin')
    const receive = this.#global.__wrapperHost?.receive
    if (typeof receive !== 'function') throw new PageCallError('no-listener')
    try {
      const text = JSON.stringify(await receive(JSON.parse(JSON.stringify(value))))
      return text === undefined ? undefined : JSON.parse(text)
    } catch {
      throw new PageCallError('rejected')
    }
  }
}

/** What a {@link MemoryPage} is made of. */
export interface MemoryPageOptions {
  readonly handlers: HostHandlers
  /** Told of each command before its handler gets it. */
  onCall(handler: HandlerName, args: JsonValue): void
  /** Told of what a handler threw that was no `HostCallError`. */
  onError(error: unknown): void
}

/** The web app in one document after the other: the real page module, on a port that is no browser's. */
export class MemoryPage {
  readonly #commands: HostHandlers
  readonly #signOut: () => Promise<void>
  readonly #onError: (error: unknown) => void
  #host: Host | undefined

  constructor({ handlers, onCall, onError }: MemoryPageOptions) {
    const watched = Object.values(handlerNames).flatMap((name): [HandlerName, unknown][] => {
      const handler = handlers[name] as ((args: JsonValue) => unknown) | undefined
      if (!handler) return []
      const watch = async (args: JsonValue) => {
        const host = this.#host
        onCall(name, args)
        const result = await handler(args)
        // As web apps do; one whose document is gone says nothing more.
        if (name === 'selectPerson' && host === this.#host) this.select(args as unknown as Person)
        return result
      }
      return [[name, watch]]
    })
    this.#commands = Object.fromEntries(watched)
    this.#signOut = async () => {
      onCall(signOutHandler, {})
      await handlers.signOut?.()
    }
    this.#onError = onError
  }

  /** Loads into a document; the function returned ends it. */
  load(port: HostPort, session: MemorySession): () => void {
    const signOut = async () => {
      await this.#signOut()
      this.signOut(session)
    }
    const host = connectPort(
      port,
      { ...this.#commands, signOut },
      {
        onReturn: () => () => undefined,
        reload: () => undefined,
        reportError: this.#onError,
      },
    )
    this.#host = host
    if (session.isSignedIn) host.signedIn()
    return () => {
      if (this.#host === host) this.#host = undefined
    }
  }

  /** Somebody signs in. */
  signIn(session: MemorySession): void {
    session.isSignedIn = true
    this.#host?.signedIn()
  }

  /** Whoever is signed in signs out. */
  signOut(session: MemorySession): void {
    session.isSignedIn = false
    this.#host?.signedOut()
  }

  /** A person is put in focus. */
  select(person: Person): void {
    this.#host?.personSelected(person)
  }
}
