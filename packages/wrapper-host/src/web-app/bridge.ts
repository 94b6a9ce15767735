import {
  ClosingError,
  type Command,
  type CommandResult,
  CommandTimeoutError,
  commands,
  type EndReason,
  isServiceLinkError,
  type PageCommandName,
  type Person,
  WebAppError,
} from '@service-link/protocol-core'
import { type EngineWindow, EventListeners, type JsonValue, PageCallError } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { DebugLog, OpenExchange } from '../log/exchange-log.ts'
import {
  bridgeProtocol,
  type CommandWay,
  type HostInfo,
  type HostMessage,
  handlerNames,
  isOtherPerson,
  type OwnHandlerName,
  type PersonIds,
} from './page/messages.ts'
import { pageAnswerSchema, pageMessageSchema } from './page/page-messages.ts'
import {
  nextPageState,
  noPage,
  PageGoneError,
  type PageState,
  type PageStateEvent,
  readPageAnswer,
} from './read-page.ts'

export type PageCommand = Extract<Command, { name: PageCommandName }>

export interface BridgeState {
  /** The page has connected and takes calls. */
  readonly isLoaded: boolean
  readonly isSignedIn: boolean
  /** The last person that the page has reported. The choice of a user who has signed out since does not count. */
  readonly personInFocus?: Person | undefined
  /** Why the last person left the focus, if the page has said so. */
  readonly clearedBy?: EndReason | undefined
}

export interface BridgeEvents {
  /** The page says who has signed in, by a name of its own. */
  signedIn: { readonly user: string }
  /** The page says that its user has signed out. */
  signedOut: { readonly reason: EndReason | undefined; readonly unsaved?: unknown }
  stateChanged: BridgeState
}

interface BridgeOptions {
  readonly info: HostInfo
  /** Gets each connection of a page, and each message that is not understood. Default: nobody. */
  readonly report?: ReportEvent
  readonly log?: DebugLog | undefined
}

/** Longest wait for a page to take a message that needs no answer, in milliseconds. */
const courtesyMs = 5000

/**
 * Host side of the specification's internal COM API: calls into the page, and events of the page. It connects to the page of a
 * window, now and after each reload, and never closes the window.
 */
export class Bridge implements Disposable {
  readonly #window: EngineWindow
  readonly #options: BridgeOptions
  readonly #listeners = new EventListeners<BridgeEvents>()
  readonly #ending = new AbortController()
  readonly #stops: readonly (() => void)[]
  #state: PageState = noPage
  /** Unanswered calls that may put a person in focus. */
  readonly #selecting = new Set<SelectingCall>()
  /** Number of hellos so far. */
  #introduction = 0
  #lastCallId = 0

  constructor(window: EngineWindow, options: BridgeOptions) {
    this.#window = window
    this.#options = options
    const gone = () => this.#apply({ type: 'gone' })
    this.#stops = [
      window.on('message', ({ value }) => this.#receive(value)),
      window.on('unloading', gone),
      window.on('pageCrashed', gone),
      window.on('closed', () => this[Symbol.dispose]()),
    ]
    // A page that has connected already says hello again.
    this.#tell({ type: 'introduce' })
  }

  get state(): BridgeState {
    const { isLoaded, isSignedIn, personInFocus, clearedBy } = this.#state
    return personInFocus ? { isLoaded, isSignedIn, personInFocus } : { isLoaded, isSignedIn, clearedBy }
  }

  /** @param wanted aborts when nobody waits for the reply any more: the page is told, and may end its work before the time limit */
  async run<Name extends PageCommandName>(
    command: Extract<PageCommand, { name: Name }>,
    timeoutMs: number,
    wanted?: AbortSignal,
    via?: CommandWay,
  ): Promise<CommandResult<Name>> {
    this.#ending.signal.throwIfAborted()
    const handler = handlerNames[command.name]
    if (!this.#state.isLoaded)
      throw new PageGoneError('The web app is not connected: it is loading, or has no bridge.')
    if (!this.#state.handlers.has(handler))
      throw new WebAppError(`The web app does not offer ${command.name}.`)
    const call: SelectingCall = {
      person: Object(command.args),
      introduction: this.#introduction,
      isFollowed: false,
      isOfFormerUser: false,
    }
    const { raisesWindow, changesFocus } = commands[command.name]
    if (raisesWindow || changesFocus) this.#selecting.add(call)
    const { session } = this.#state
    try {
      const answer = await this.#call({ handler, args: command.args, session, via }, timeoutMs, wanted, call)
      return readPageAnswer(command.name as Name, answer)
    } catch (error) {
      throw error instanceof PageGoneError && call.isFollowed ? new WebAppError(lostBehind) : error
    } finally {
      this.#selecting.delete(call)
    }
  }

  /** Calls a handler that no command stands for. Returns its value; nothing when the page has none, or it failed. */
  async ask(
    handler: OwnHandlerName,
    args: object,
    timeoutMs: number,
  ): Promise<{ readonly value?: unknown } | undefined> {
    if (!this.#state.handlers.has(handler)) return undefined
    // What one user has not saved must not reach another, who has signed in meanwhile.
    const session = handler === 'restoreUnsaved' ? this.#state.session : undefined
    const answer = pageAnswerSchema.safeParse(await this.#call({ handler, args, session }, timeoutMs)).data
    return answer?.type === 'result' ? { value: answer.value } : undefined
  }

  /**
   * Whether the page says that it has unsaved work; one without a handler for that: whether it objects to going away. False for a
   * page that does not answer.
   */
  async hasUnsavedWork(): Promise<boolean> {
    const { signal } = this.#ending
    const handler = 'hasUnsavedWork'
    const asked = this.#state.handlers.has(handler)
      ? this.#call({ handler, args: {} }, courtesyMs)
      : this.#window.call({ type: 'unsaved' }, { timeoutMs: courtesyMs, signal })
    const answer = pageAnswerSchema.safeParse(await asked.catch(() => undefined)).data
    return answer?.type === 'result' && answer.value === true
  }

  on<Name extends keyof BridgeEvents>(name: Name, listener: (event: BridgeEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  [Symbol.dispose](): void {
    if (this.#ending.signal.aborted) return
    for (const stop of this.#stops) stop()
    this.#apply({ type: 'gone' })
    this.#ending.abort(new ClosingError())
    this.#listeners.clear()
  }

  async #call(
    { handler, args, session, via }: Pick<HostCall, 'handler' | 'args' | 'session' | 'via'>,
    timeoutMs: number,
    wanted?: AbortSignal,
    selecting?: SelectingCall,
  ): Promise<unknown> {
    const { signal } = this.#ending
    const introduction = this.#introduction
    const id = ++this.#lastCallId
    const cancel = () => this.#tell({ type: 'cancel', id })
    wanted?.addEventListener('abort', cancel)
    const begun = { kind: 'bridge', direction: 'out', name: handler, content: args, args } as const
    const open = this.#options.log?.exchanges?.begin(begun)
    if (selecting) selecting.exchange = open
    try {
      const answer = await this.#window.call(toJson({ type: 'call', id, handler, args, session, via }), {
        timeoutMs,
        signal,
      })
      open?.end(outcomeOf(answer), answer)
      return answer
    } catch (error) {
      const failure = signal.aborted ? signal.reason : describeFailure(error, timeoutMs)
      open?.end(isServiceLinkError(failure) ? failure.code : 'ERR_WEB_APP')
      signal.throwIfAborted()
      if (failure instanceof CommandTimeoutError) cancel()
      // The call may fail before the window's event. A retry must wait for the next page.
      if (failure instanceof PageGoneError && introduction === this.#introduction)
        this.#apply({ type: 'gone' })
      throw failure
    } finally {
      wanted?.removeEventListener('abort', cancel)
    }
  }

  #receive(value: unknown): void {
    const { report } = this.#options
    const parsed = pageMessageSchema.safeParse(value)
    if (!parsed.success) {
      const places = parsed.error.issues.map(({ path }) => path.join('.') || 'type').join(', ')
      report?.({ type: 'page-message-unclear', places })
      return
    }
    const message = parsed.data
    const args = 'person' in message ? message.person : undefined
    const noted = this.#options.log?.exchanges?.note({
      kind: 'bridge',
      direction: 'in',
      name: message.type,
      content: message,
      args,
      within: message.type === 'personSelected' ? [...this.#selecting].at(-1)?.exchange : undefined,
    })
    const follow = () => this.#follow(message)
    noted ? noted.run(follow) : follow()
  }

  #follow(message: Exclude<PageStateEvent, { type: 'gone' }>): void {
    const { report } = this.#options
    if (message.type === 'hello') {
      if (message.protocol !== bridgeProtocol) {
        report?.({ type: 'page-protocol', spoken: message.protocol, wanted: bridgeProtocol })
        return
      }
      this.#tell({ type: 'welcome', protocol: bridgeProtocol, info: this.#options.info })
      report?.({ type: 'web-app-connected', isSignedIn: message.isSignedIn })
      this.#introduction++
    }
    if (message.type === 'personSelected' && this.#isOfFormerUser(message.person)) return
    const wasSignedIn = this.#state.isSignedIn
    if (message.type !== 'hello' && message.type !== 'signedIn')
      for (const call of this.#selecting) call.isFollowed ||= call.introduction === this.#introduction
    this.#apply(message)
    const { isSignedIn } = this.#state
    if (wasSignedIn && !isSignedIn) for (const call of this.#selecting) call.isOfFormerUser = true
    const { user } = { user: undefined, ...message }
    if (isSignedIn && user !== undefined) this.#listeners.emit('signedIn', { user })
    if (message.type === 'signedOut' && wasSignedIn)
      this.#listeners.emit('signedOut', { reason: message.reason, unsaved: message.unsaved })
  }

  /** Whether a person may be the choice of a former user, whose call the page still works on. */
  #isOfFormerUser(person: Person): boolean {
    return [...this.#selecting].some(call => call.isOfFormerUser && !isOtherPerson(call.person, person))
  }

  #apply(event: PageStateEvent): void {
    const next = nextPageState(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    this.#listeners.emit('stateChanged', this.state)
  }

  #tell(message: HostMessage): void {
    this.#window
      .call(toJson(message), { timeoutMs: courtesyMs, signal: this.#ending.signal })
      .catch(() => undefined)
  }
}

type HostCall = Extract<HostMessage, { type: 'call' }>

function outcomeOf(answer: unknown): string {
  const { data } = pageAnswerSchema.safeParse(answer)
  if (data?.type === 'result') return 'ok'
  return data?.type === 'failure' ? data.code : 'ERR_WEB_APP'
}

interface SelectingCall {
  /** Whom it selects, as far as that is known. */
  readonly person: PersonIds
  /** In the debug log. */
  exchange?: OpenExchange | undefined
  /** Number of the document's hello. */
  readonly introduction: number
  /** Whether that document has told since who is in focus. */
  isFollowed: boolean
  /** Whether the user has signed out since the call. */
  isOfFormerUser: boolean
}

/** The page may have done what was asked, or its user has chosen since: the next page must not do it again. */
const lostBehind =
  'The web app went away after the focus had changed. Whether the command had an effect is not known.'

/** Drops members without a value, which JSON does not have. */
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
