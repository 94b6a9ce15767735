import { compileFunction } from 'node:vm'
import type { Person } from '@service-link/protocol-core'
import { type JsonValue, PageCallError, type PageCallFault } from '@service-link/window-engine'
import { connectPort, type Host } from '../web-app/page/connect-host.ts'
import type {
  AllHandlers,
  CommandWay,
  HandlerName,
  HostHandlers,
  HostInfo,
  HostMessage,
  HostPort,
  PageMessage,
} from '../web-app/page/messages.ts'

/** The session of a web app, as cookies hold it. */
export interface MemorySession {
  isSignedIn: boolean
}

interface DocumentGlobal {
  __wrapperHost?: HostPort & { readonly receive?: unknown }
}

interface MemoryDocumentOptions {
  /** Source of the page script; absent if the page may not talk to the host. */
  readonly pageScript?: string
  /** Gets each value that the page sends, parsed from JSON. */
  receive(value: unknown): void
}

/** A document in memory: a global object in which the page script has run. Values travel as JSON text. */
export class MemoryDocument {
  readonly #global: DocumentGlobal = {}
  readonly #isCallable: boolean
  readonly #ending = new AbortController()

  constructor({ pageScript, receive }: MemoryDocumentOptions) {
    this.#isCallable = pageScript !== undefined
    if (pageScript === undefined) return
    const send = (value: unknown) => {
      const text = JSON.stringify(value)
      if (typeof text !== 'string') throw new TypeError('Only JSON values can be sent to the host.')
      if (!this.signal.aborted) receive(JSON.parse(text))
    }
    compileFunction(`return (${pageScript})(send)`, ['globalThis', 'send'])(this.#global, send)
  }

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

/** A call of one handler of the web app, with its arguments: the person for `selectPerson`, else those of the command table. */
export type HandlerCall = {
  readonly [Name in HandlerName]: {
    readonly handler: Name
    readonly args: Parameters<AllHandlers[Name]>[0]
    /** How its command came. */
    readonly via?: CommandWay | undefined
  }
}[HandlerName]

/** What the page was told (`welcome`, `call`), or told the wrapper. */
export type PageEvent =
  | { readonly type: 'welcome'; readonly info: HostInfo }
  | ({ readonly type: 'call' } & HandlerCall)
  | { readonly type: 'signedIn' | 'signedOut' }
  | { readonly type: 'personSelected'; readonly person: Person }
  | { readonly type: 'personCleared' }

interface MemoryPageOptions {
  readonly handlers: HostHandlers
  /** Gets each event; a call before its handler does. */
  onEvent?(event: PageEvent): void
  /** Gets each error of a handler that is no `HostCallError`. */
  onError(error: unknown): void
}

/** A web app in memory, in one document after the other. It uses the real page module. */
export class MemoryPage {
  readonly #options: MemoryPageOptions
  #document: { readonly host: Host; readonly session: MemorySession } | undefined
  /** What its user does while no document is there: the next one has it. */
  readonly #waiting: (() => void)[] = []

  constructor(options: MemoryPageOptions) {
    this.#options = options
  }

  /** Loads the web app into a document. The function returned unloads it. */
  load(port: HostPort, session: MemorySession): () => void {
    const { handlers, onError } = this.#options
    const signOut: HostHandlers['signOut'] = async asked => {
      const answer = await handlers.signOut?.(asked)
      session.isSignedIn = false
      if (host === this.#document?.host) host.signedOut()
      return answer
    }
    const host = connectPort(
      this.#watched(port),
      { ...handlers, signOut },
      { onReturn: () => undefined, reload: () => undefined, reportError: onError },
    )
    this.#document = { host, session }
    if (session.isSignedIn) host.signedIn()
    for (const act of this.#waiting.splice(0)) act()
    return () => {
      if (this.#document?.host === host) this.#document = undefined
    }
  }

  /** @param user as the page names the account to the wrapper */
  signIn(user?: string): void {
    this.#act((host, session) => {
      session.isSignedIn = true
      host.signedIn(user)
    })
  }

  signOut(...told: Parameters<Host['signedOut']>): void {
    this.#act((host, session) => {
      session.isSignedIn = false
      host.signedOut(...told)
    })
  }

  select(person: Person): void {
    this.#act(host => host.personSelected(person))
  }

  #act(act: (host: Host, session: MemorySession) => void): void {
    const document = this.#document
    if (document) act(document.host, document.session)
    else this.#waiting.push(() => this.#act(act))
  }

  /** The port, with a record of its messages. */
  #watched({ protocol, send, connect }: HostPort): HostPort {
    const note = (message: HostMessage | PageMessage) => {
      if (message.type === 'hello' || message.type === 'introduce' || message.type === 'cancel') return
      const { id, protocol, session, reason, ...event } = { ...noFacts, ...message }
      // The bridge has checked the arguments of a call.
      this.#options.onEvent?.(event as PageEvent)
    }
    return {
      protocol,
      send(message) {
        note(message)
        send(message)
      },
      connect: receive =>
        connect(message => {
          note(message as HostMessage)
          return receive(message)
        }),
    }
  }
}

/** Members that are for host and page alone. */
const noFacts = { id: undefined, protocol: undefined, session: undefined, reason: undefined }
