import {
  ClosingError,
  type CommandResult,
  CommandTimeoutError,
  commands,
  NotSignedInError,
  WebAppError,
} from '@service-link/protocol-core'
import type { EngineWindow, JsonValue } from '@service-link/window-engine'
import { EventListeners, PageCallError } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type {
  Bridge,
  BridgeEvents,
  BridgeState,
  BridgeWaitOptions,
  PageCommand,
  PageCommandName,
} from './bridge.ts'
import { nextPageState, noPage, type PageState, type PageStateEvent } from './bridge-state.ts'
import { handlerNames, signOutHandler } from './page/handler-names.ts'
import { bridgeProtocol, type HostInfo, type HostMessage } from './page/messages.ts'
import { PageGoneError } from './page-gone-error.ts'
import { pageAnswerSchema, pageMessageSchema } from './page-message-schema.ts'
import { readPageAnswer } from './read-page-answer.ts'

/** Options of {@link createBridge}. */
export interface CreateBridgeOptions {
  /** What the page is told of the wrapper. */
  readonly info: HostInfo
  /** Told when the page connects, and when it says what cannot be understood. Default: nobody. */
  readonly report?: ReportEvent
}

/** Longest wait for a page to take what needs no answer, in milliseconds. */
const courtesyMs = 5000

/**
 * Connects to the page in a window, now and after each reload.
 *
 * @param window stays the caller's; the bridge never closes it
 */
export function createBridge(window: EngineWindow, options: CreateBridgeOptions): Bridge {
  return new WindowBridge(window, options)
}

class WindowBridge implements Bridge {
  readonly #window: EngineWindow
  readonly #options: CreateBridgeOptions
  readonly #listeners = new EventListeners<BridgeEvents>()
  readonly #disposal = new AbortController()
  readonly #stops: readonly (() => void)[]
  #state: PageState = noPage
  /** Calls that may put a person in focus, and that the page has not answered. */
  readonly #selecting = new Set<SelectingCall>()
  /** How often a page has said hello. */
  #introduction = 0

  constructor(window: EngineWindow, options: CreateBridgeOptions) {
    this.#window = window
    this.#options = options
    const gone = () => this.#apply({ type: 'gone' })
    this.#stops = [
      window.on('message', ({ value }) => this.#receive(value)),
      window.on('unloading', gone),
      window.on('pageCrashed', gone),
      window.on('closed', () => this.#end()),
    ]
    // A page that connected before this bridge was there says hello again.
    this.#tell({ type: 'introduce' })
  }

  get state(): BridgeState {
    return publicState(this.#state)
  }

  ready({ timeoutMs, signal }: BridgeWaitOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#disposal.signal.aborted) return Promise.reject(this.#disposal.signal.reason)
    if (this.#state.isSignedIn) return Promise.resolve()
    const stop = this.on('stateChanged', ({ isSignedIn }) => isSignedIn && resolve())
    const timer = setTimeout(
      () => reject(this.#state.isLoaded ? new NotSignedInError() : new CommandTimeoutError(timeoutMs)),
      timeoutMs,
    )
    const signals = signal ? AbortSignal.any([signal, this.#disposal.signal]) : this.#disposal.signal
    const abort = () => reject(signals.reason)
    signals.addEventListener('abort', abort, { once: true })
    return promise.finally(() => {
      stop()
      clearTimeout(timer)
      signals.removeEventListener('abort', abort)
    })
  }

  async run<Name extends PageCommandName>(
    command: Extract<PageCommand, { name: Name }>,
    { timeoutMs, signal }: BridgeWaitOptions,
  ): Promise<CommandResult<Name>> {
    signal?.throwIfAborted()
    this.#disposal.signal.throwIfAborted()
    const handler = handlerNames[command.name]
    if (!this.#state.isLoaded) throw notConnected()
    if (!this.#state.handlers.has(handler))
      throw new WebAppError(`The web app does not offer ${command.name}.`)
    const call: SelectingCall = { isOfFormerUser: false }
    if (commands[command.name].raisesWindow) this.#selecting.add(call)
    try {
      const answer = await this.#call({ type: 'call', handler, args: command.args }, { timeoutMs, signal })
      return readPageAnswer(command.name as Name, answer)
    } finally {
      this.#selecting.delete(call)
    }
  }

  async signOut(options: BridgeWaitOptions): Promise<boolean> {
    if (!this.#state.handlers.has(signOutHandler)) return false
    const answer = await this.#call({ type: 'call', handler: signOutHandler, args: {} }, options)
    return pageAnswerSchema.safeParse(answer).data?.type === 'result'
  }

  on<Name extends keyof BridgeEvents>(name: Name, listener: (event: BridgeEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end()
  }

  async #call(message: HostMessage, { timeoutMs, signal }: CallLimits): Promise<unknown> {
    const signals = signal ? AbortSignal.any([signal, this.#disposal.signal]) : this.#disposal.signal
    const introduction = this.#introduction
    try {
      return await this.#window.call(toJson(message), { timeoutMs, signal: signals })
    } catch (error) {
      if (signals.aborted) throw signals.reason
      const failure = describeFailure(error, timeoutMs)
      // A call may fail before the event says why; who asks again is to wait for the next page.
      if (failure instanceof PageGoneError && introduction === this.#introduction)
        this.#apply({ type: 'gone' })
      throw failure
    }
  }

  #end(): void {
    if (this.#disposal.signal.aborted) return
    for (const stop of this.#stops) stop()
    this.#apply({ type: 'gone' })
    this.#disposal.abort(new ClosingError())
    this.#listeners.clear()
  }

  #receive(value: unknown): void {
    const parsed = pageMessageSchema.safeParse(value)
    if (!parsed.success) {
      const places = parsed.error.issues.map(({ path }) => path.join('.') || 'type').join(', ')
      this.#options.report?.({ type: 'page-message-unclear', places })
      return
    }
    const message = parsed.data
    if (message.type === 'hello' && message.protocol !== bridgeProtocol) {
      this.#options.report?.({ type: 'page-protocol', spoken: message.protocol, wanted: bridgeProtocol })
      return
    }
    if (message.type === 'bye') {
      this.#apply({ type: 'gone' })
      return
    }
    if (message.type === 'hello') {
      this.#tell({ type: 'welcome', protocol: bridgeProtocol, info: this.#options.info })
      this.#options.report?.({ type: 'web-app-connected', isSignedIn: message.isSignedIn })
    }
    if (message.type === 'hello') this.#introduction++
    if (message.type === 'personSelected' && this.#isForFormerUser()) return
    const before = this.#state
    this.#apply(message)
    const { isSignedIn } = this.#state
    if (message.type === 'personSelected' && isSignedIn)
      this.#listeners.emit('personSelected', { person: message.person })
    if (isSignedIn && !before.isSignedIn) this.#listeners.emit('signedIn', {})
    if (before.isSignedIn && !isSignedIn) for (const call of this.#selecting) call.isOfFormerUser = true
    if (message.type === 'signedOut' && before.isSignedIn) this.#listeners.emit('signedOut', {})
  }

  /** Whether a person that the page tells may be the choice of whoever was signed in before. */
  #isForFormerUser(): boolean {
    return [...this.#selecting].some(({ isOfFormerUser }) => isOfFormerUser)
  }

  #apply(event: PageStateEvent): void {
    const next = nextPageState(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    this.#listeners.emit('stateChanged', publicState(next))
  }

  #tell(message: HostMessage): void {
    this.#window
      .call(toJson(message), { timeoutMs: courtesyMs, signal: this.#disposal.signal })
      .catch(() => undefined)
  }
}

interface SelectingCall {
  /** Whether its user has signed out meanwhile, in the page that it is in. */
  isOfFormerUser: boolean
}

interface CallLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

function publicState({ isLoaded, isSignedIn, personInFocus }: PageState): BridgeState {
  return personInFocus ? { isLoaded, isSignedIn, personInFocus } : { isLoaded, isSignedIn }
}

/** As it travels: members without a value are left out. */
function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value))
}

function describeFailure(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof PageCallError)) return new WebAppError('The web app could not be called.')
  if (error.fault === 'timeout') return new CommandTimeoutError(timeoutMs)
  if (error.fault === 'closed') return new ClosingError()
  const message = `The web app did not answer: ${error.message}`
  return error.fault === 'navigated' || error.fault === 'crashed'
    ? new PageGoneError(message)
    : new WebAppError(message)
}

function notConnected(): PageGoneError {
  return new PageGoneError('The web app is not connected: it is loading, or has no bridge.')
}
