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

/** The session of a web app, as cookies hold it. */
export interface MemorySession {
  isSignedIn: boolean
}

/** The global object of a document, with the port of the page script. */
interface DocumentGlobal {
  __wrapperHost?: HostPort & { readonly receive?: unknown }
}

interface MemoryDocumentOptions {
  readonly origin: string
  /** Source of the page script; absent if the page may not talk to the host. */
  readonly pageScript?: string
  /** Gets each value that the page sends, parsed from JSON. */
  receive(value: unknown): void
}

/** A document in memory: a global object in which the page script has run. Values travel as JSON text. */
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

  /** The port that the page script has left for the web app. */
  get port(): HostPort | undefined {
    return this.#global.__wrapperHost
  }

  /** Aborts with a {@link PageCallError} when the document is gone. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  end(fault: PageCallFault): void {
    this.#ending.abort(new PageCallError(fault))
  }

  /** Calls `receive` of the page script's port. */
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

interface MemoryPageOptions {
  readonly handlers: HostHandlers
  /** Gets each call before the handler does. */
  onCall(handler: HandlerName, args: JsonValue): void
  /** Gets each error of a handler that is no `HostCallError`. */
  onError(error: unknown): void
}

/** A web app in memory, in one document after the other. It uses the real page module. */
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
        // Unless its document is gone.
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

  /** Loads the web app into a document. The function returned unloads it. */
  load(port: HostPort, session: MemorySession): () => void {
    const signOut = async () => {
      await this.#signOut()
      this.signOut(session)
    }
    const host = connectPort(
      port,
      { ...this.#commands, signOut },
      {
        onReturn: () => undefined,
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

  signIn(session: MemorySession): void {
    session.isSignedIn = true
    this.#host?.signedIn()
  }

  signOut(session: MemorySession): void {
    session.isSignedIn = false
    this.#host?.signedOut()
  }

  /** Puts a person in focus. */
  select(person: Person): void {
    this.#host?.personSelected(person)
  }
}
