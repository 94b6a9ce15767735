import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'

/** Answer to the browser's question whether the document may go away. */
type UnloadAnswer =
  /** Let a navigation go on. */
  | 'let-go'
  /** Let the user close the window. */
  | 'close'
  /** Minimise the window instead of closing it. */
  | 'minimise'
  /** Leave the question to the user: the page objects, for unsaved work. */
  | 'ask-user'

interface Navigation {
  /** Address that the page requested; absent for a navigation of the browser. */
  readonly requestedUrl?: string
  /** Whether the page requested it because the user followed a link. */
  readonly isLink?: boolean
  /** Absent until it has started. */
  readonly loaderId?: string
  /** Whether the document before it was asked, and let go. */
  readonly isAsked: boolean
}

/**
 * Tells a navigation from the user closing the window. Both make the browser ask (`beforeunload`).
 *
 * - A navigation that the page requests: the browser reports the request, asks, and reports the start.
 * - A navigation from outside: the browser reports the start, and asks.
 * - A request such as `mailto:`: the browser asks, and no navigation starts.
 *
 * Each navigation asks once. A second question comes from a user who closes a window that waits for a slow server. Late events of an
 * older navigation are known by their loader and ignored.
 */
export class CloseGuard {
  readonly #mainFrameId: string
  #navigation: Navigation | undefined
  /** Loader of the document that is shown. */
  #shownLoaderId: string | undefined
  #pageObjects = false
  #isQuestionOpen = false

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId
  }

  /** Whether the document was let go, and waits for the server of the next one. */
  get isLeaving(): boolean {
    return this.#navigation?.isAsked === true && this.#navigation.loaderId !== undefined
  }

  /** Address of the followed link, until the browser's question is answered. */
  get followedLink(): string | undefined {
    const { isLink, isAsked, requestedUrl } = this.#navigation ?? {}
    return isLink && !isAsked ? requestedUrl : undefined
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    switch (event.name) {
      case 'Page.frameRequestedNavigation':
        this.#request(event.facts)
        break
      case 'Page.frameStartedNavigating':
        if (event.facts.frameId === this.#mainFrameId) this.#start(event.facts)
        break
      case 'Page.frameNavigated':
        if (event.facts.frame.parentId === undefined) this.#arrive(event.facts.frame.loaderId)
        break
      case 'Page.frameStoppedLoading':
        // An earlier load has stopped if the document was not asked yet.
        if (event.facts.frameId === this.#mainFrameId && this.#navigation?.isAsked)
          this.#navigation = undefined
        break
      case 'Page.javascriptDialogOpening':
        this.#isQuestionOpen = event.facts.type === 'beforeunload'
        break
      case 'Page.javascriptDialogClosed':
        if (this.#isQuestionOpen && !event.facts.result) this.#navigation = undefined
        this.#isQuestionOpen = false
        break
      default:
    }
  }

  /** Notes that the page's own handlers object. It comes just before the browser asks. */
  noteObjection(): void {
    this.#pageObjects = true
  }

  /** Answers a question of the browser. */
  answer(isMinimising: boolean): UnloadAnswer {
    const objects = this.#pageObjects
    this.#pageObjects = false
    const navigation = this.#navigation
    const isNavigation = navigation !== undefined && !navigation.isAsked
    if (isNavigation) this.#navigation = { ...navigation, isAsked: true }
    if (isMinimising && !isNavigation) return 'minimise'
    if (objects) return 'ask-user'
    return isNavigation ? 'let-go' : 'close'
  }

  #request({
    frameId,
    url,
    reason,
    disposition,
  }: Extract<DevToolsEvent, { name: 'Page.frameRequestedNavigation' }>['facts']): void {
    // A download, or a link for another window, leaves this document alone.
    if (frameId !== this.#mainFrameId || disposition !== 'currentTab') return
    this.#navigation = { requestedUrl: url, isLink: reason === 'anchorClick', isAsked: false }
  }

  #start({
    url,
    loaderId,
    navigationType,
  }: Extract<DevToolsEvent, { name: 'Page.frameStartedNavigating' }>['facts']): void {
    if (/sameDocument$/i.test(navigationType)) return
    if (loaderId === this.#shownLoaderId || loaderId === this.#navigation?.loaderId) return
    const { isAsked, requestedUrl, loaderId: known } = this.#navigation ?? {}
    const isTheRequested = isAsked === true && known === undefined && requestedUrl === url
    this.#navigation = { loaderId, isAsked: isTheRequested }
  }

  #arrive(loaderId: string): void {
    this.#shownLoaderId = loaderId
    const running = this.#navigation?.loaderId
    if (running === undefined || running === loaderId) this.#navigation = undefined
  }
}

/**
 * Uses up the user activation: with it a page could open windows, go full screen or start programs. An input outside of the document
 * has no picker to show, but the call takes the activation.
 */
const takeUp = `document.createElement('input').showPicker()`

/**
 * Marks a document as used, since the browser lets only a used document ask before it goes away. The mark is a user activation in
 * the host's own world. It is used up before a script of the page can run.
 */
export class UsedMark {
  readonly #page: PageTarget
  readonly #worldName: string
  readonly #isOurs: () => boolean
  /** The host's world in the document that is shown. */
  #contextId: string | undefined

  /** @param isOurs whether the document is the web app's or the wrapper's own. Others must not hold their user back */
  constructor(page: PageTarget, worldName: string, isOurs: () => boolean) {
    this.#page = page
    this.#worldName = worldName
    this.#isOurs = isOurs
  }

  /** Takes an event of the page, after its documents have. */
  apply(event: DevToolsEvent): void {
    switch (event.name) {
      case 'Runtime.executionContextsCleared':
      case 'Inspector.targetCrashed':
        this.#contextId = undefined
        break
      case 'Runtime.executionContextCreated': {
        const { name, uniqueId, auxData } = event.facts.context
        if (auxData.frameId !== this.#page.targetId) break
        if (name === this.#worldName) this.#contextId = uniqueId
        this.#mark()
        break
      }
      case 'Page.domContentEventFired':
        this.#mark()
        break
      default:
    }
  }

  #mark(): void {
    if (this.#contextId === undefined || !this.#isOurs()) return
    this.#page.tell('Runtime.evaluate', {
      expression: takeUp,
      uniqueContextId: this.#contextId,
      userGesture: true,
    })
  }
}

interface PageDialogsOptions {
  readonly page: PageTarget
  readonly guard: CloseGuard
  readonly isHeadless: boolean
  isMinimisingOnClose(): boolean
  /** Whether a link leads out of the web app. */
  leadsOutside(url: string): boolean
  openExternal(url: string): void
  /** Called when the user closes the window. It closes when this settles. */
  beforeClose(): Promise<void>
  /** Minimises the window that the user closes. */
  minimise(): void
}

/** Answers dialogs of the page, and the browser's question before a page goes away, unless the user has to answer. */
export class PageDialogs {
  readonly #options: PageDialogsOptions
  #isOpen = false

  constructor(options: PageDialogsOptions) {
    this.#options = options
  }

  /** Whether a dialog is open. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    if (event.name === 'Page.javascriptDialogClosed' || event.name === 'Inspector.targetCrashed')
      this.#isOpen = false
    if (event.name !== 'Page.javascriptDialogOpening') return
    this.#isOpen = true
    const { type, hasBrowserHandler } = event.facts
    if (type === 'beforeunload') this.#answerUnload()
    // Without a window no user can answer.
    else if (this.#options.isHeadless || !hasBrowserHandler) this.#handle(type === 'alert')
  }

  #answerUnload(): void {
    const { guard, isHeadless, isMinimisingOnClose, leadsOutside, openExternal, beforeClose, minimise } =
      this.#options
    const link = guard.followedLink
    const answer = guard.answer(isMinimisingOnClose())
    if (link !== undefined && leadsOutside(link)) {
      this.#handle(false)
      openExternal(link)
    } else if (answer === 'minimise') {
      this.#handle(false)
      minimise()
    } else if (answer === 'close') {
      void beforeClose().then(() => this.#handle(true))
    } else if (answer === 'let-go' || isHeadless) {
      this.#handle(true)
    }
  }

  #handle(accept: boolean): void {
    this.#options.page.tell('Page.handleJavaScriptDialog', { accept })
  }
}
