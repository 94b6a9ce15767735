import type { Person } from '@service-link/protocol-core'
import type { JsonValue } from '@service-link/window-engine'
import { connectPort, type Host } from '../web-app/page/connect-host.ts'
import {
  type HandlerName,
  type HostHandlers,
  handlerNames,
  signOutHandler,
} from '../web-app/page/handlers.ts'
import type { HostPort } from '../web-app/page/messages.ts'
import type { MemorySession } from './memory-window.ts'

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
