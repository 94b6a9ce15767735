import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { PageTarget } from '../devtools/page-target.ts'
import type { CallOptions, EngineEvents, JsonValue } from '../engine.ts'
import { PageCallError } from '../engine-error.ts'
import { callPage, pingPage } from '../page/call-page.ts'
import { readHostWorldMessage } from '../page/host-world.ts'
import { NoticeBar } from '../page/notice-bar.ts'
import { PageDocuments } from '../page/page-documents.ts'
import { PageLoads } from '../page/page-loads.ts'
import { hostWorldName } from '../page/prepare-page.ts'

/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000

/** Tells one event of the window. */
export type EmitEvent = <Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]) => void

/** What an {@link ElectronPage} is made of. */
export interface ElectronPageOptions {
  readonly target: PageTarget
  /** Name of the function by which the page script sends. */
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  /** First address. */
  readonly url: string
  readonly emit: EmitEvent
  /** Told when the page's zoom may be another. */
  onResized(): void
}

/** The page in a window, by its protocol: its documents, what they send, and what is called in them. */
export class ElectronPage {
  readonly target: PageTarget
  readonly loads: PageLoads
  readonly notice: NoticeBar
  readonly #options: ElectronPageOptions
  readonly #documents: PageDocuments
  #isCrashed = false
  /** Whether the page waits for its user in a dialog. */
  #hasDialog = false
  /** Whether the page waits for the server of the next, as its events say. */
  #isLeaving = false
  /** Navigations of the host's own that wait for a server: the end of the load before may be told after they have begun. */
  #goingTo = 0
  #isEnded = false

  constructor(options: ElectronPageOptions) {
    const { target, bindingName, url, emit } = options
    this.target = target
    this.#options = options
    this.#documents = new PageDocuments(target.targetId)
    this.notice = new NoticeBar(target, hostWorldName(bindingName))
    this.loads = new PageLoads(target, url, {
      onLoaded: event => {
        emit('loaded', event)
        options.onResized()
      },
      onLoadFailed: event => emit('loadFailed', event),
      onOwnPageAction: event => emit('ownPageAction', event),
    })
    target.connection.onEvent(event => this.#take(event))
  }

  /** Whether the page shown is one that may talk to the host. */
  get isApp(): boolean {
    return this.#options.allowedOrigins.includes(this.#documents.current?.origin ?? '')
  }

  /** Names the document that is shown. */
  get documentId(): string | undefined {
    return this.#documents.current?.uniqueContextId
  }

  get isCrashed(): boolean {
    return this.#isCrashed
  }

  /** @throws {PageCallError} as `EngineWindow.call` says, but for a window that is closed */
  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    const document = this.#documents.current
    if (this.#isCrashed) throw new PageCallError('crashed')
    if (!document) throw new PageCallError('navigated')
    if (!this.isApp) throw new PageCallError('foreign-origin')
    return callPage({ page: this.target, document }, value, options)
  }

  /** @throws {PageCallError} as `EngineWindow.ping` says, but for a window that is closed */
  async ping(options: CallOptions): Promise<void> {
    if (this.#isCrashed) throw new PageCallError('crashed')
    if (this.#hasDialog || this.#isLeaving || this.#goingTo > 0) return
    await pingPage(this.target, options)
  }

  /** Goes to an address; the answer says when the server has answered, or why not. */
  async goTo(url: string): Promise<{ readonly errorText?: string | undefined }> {
    this.#goingTo += 1
    try {
      return await this.target.call('Page.navigate', { url }, { timeoutMs: navigationMs })
    } finally {
      this.#goingTo -= 1
    }
  }

  /** The page's process has ended. */
  crash(): void {
    this.#isCrashed = true
    this.#hasDialog = false
    this.#isLeaving = false
    if (this.#documents.end('crashed')) this.#options.emit('unloading', {})
  }

  /** The window is closed, or about to be: nothing is told any more. */
  end(): void {
    this.#isEnded = true
    this.#documents.end('closed')
  }

  #take(event: DevToolsEvent): void {
    if (event.sessionId !== this.target.sessionId || this.#isEnded) return
    this.notice.apply(event)
    if (this.#documents.apply(event) && this.loads.hasBegun) this.#options.emit('unloading', {})
    this.loads.apply(event)
    this.#noteWait(event)
    if (event.name === 'Runtime.executionContextCreated') this.#isCrashed = false
    if (event.name === 'Runtime.bindingCalled') this.#takeBinding(event.facts)
  }

  #noteWait(event: DevToolsEvent): void {
    const { targetId } = this.target
    switch (event.name) {
      case 'Page.frameStartedNavigating':
        if (event.facts.frameId === targetId && !/sameDocument$/i.test(event.facts.navigationType))
          this.#isLeaving = true
        break
      case 'Page.frameNavigated':
        if (event.facts.frame.parentId === undefined) this.#isLeaving = false
        break
      case 'Page.frameStoppedLoading':
        if (event.facts.frameId === targetId) this.#isLeaving = false
        break
      case 'Page.javascriptDialogOpening':
        this.#hasDialog = true
        break
      case 'Page.javascriptDialogClosed':
        this.#hasDialog = false
        break
      default:
    }
  }

  #takeBinding({ name, payload, executionContextId }: BindingCalled): void {
    const { bindingName, emit } = this.#options
    if (name === hostWorldName(bindingName)) this.#hearHostWorld(payload)
    const document = this.#documents.find(executionContextId)
    if (name !== bindingName || !document || !this.isApp) return
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch {
      return
    }
    emit('message', { value, origin: document.origin })
  }

  #hearHostWorld(payload: string): void {
    const message = readHostWorldMessage(payload)
    if (message?.is === 'failed') this.loads.noteDown(message.status)
    if (message?.is === 'pressed') this.loads.notePress(message.action)
    if (message?.is === 'resized') this.#options.onResized()
    if (message?.is !== 'notice') return
    this.notice.set(undefined)
    this.#options.emit('noticeAction', { action: message.action })
  }
}

type BindingCalled = Extract<DevToolsEvent, { name: 'Runtime.bindingCalled' }>['facts']
