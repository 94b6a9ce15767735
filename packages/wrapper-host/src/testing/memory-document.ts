import { compileFunction } from 'node:vm'
import { type JsonValue, PageCallError, type PageCallFault } from '@service-link/window-engine'
import type { HostPort } from '../web-app/page/messages.ts'

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
