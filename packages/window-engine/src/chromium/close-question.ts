import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'

/** What is to be done when the browser asks whether the document may go away. */
type UnloadAnswer =
  /** A navigation to which nobody objects. */
  | 'let-go'
  /** The user closes the window, and nobody objects. */
  | 'close'
  /** The user closes the window, which is to be minimised instead. */
  | 'minimise'
  /** The page itself objects, for unsaved work: the browser's question stays for the user to answer. */
  | 'ask-user'

interface Navigation {
  /** Where the page asked to go; absent when the browser goes by itself. */
  readonly requestedUrl?: string
  /** Whether the page asked because a link in it was followed. */
  readonly isLink?: boolean
  /** Absent until it has started. */
  readonly loaderId?: string
  /** Whether its document was asked, and let go. */
  readonly isAsked: boolean
}

/**
 * Tells a navigation from the user closing the window, both of which make the browser ask (`beforeunload`). Before a
 * navigation asks, the browser says that it begins in the main frame: one that the page requests is told once as requested,
 * asks, and is then told as started; one from outside is told as started, and asks. Each asks once, so that a second question
 * is the user's, who closes a window that still waits for a slow server. A request such as `mailto:` asks and never starts.
 * What is told late, of a navigation that is over or was overtaken by a newer one, is known by its loader and changes nothing.
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

  /** Whether the document has been asked and let go, and waits for the server of the next. */
  get isLeaving(): boolean {
    return this.#navigation?.isAsked === true && this.#navigation.loaderId !== undefined
  }

  /** Address of the link that the page asks to follow, until it is answered. */
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
        // One that was not asked yet has not been what stopped.
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

  /** The page's own handlers object to the document going away; said just before the browser asks. */
  noteObjection(): void {
    this.#pageObjects = true
  }

  /** Decides on a question of the browser. */
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
    // What opens elsewhere, or is a download, leaves this document alone.
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
 * An input that no document contains has no picker to show, and to ask for it takes up the moment in which a page may do what
 * only its user may cause: windows of its own, full screen, other programs.
 */
const takeUp = `document.createElement('input').showPicker()`

/**
 * Lets a document ask before it goes away, which a browser allows only to one that its user has used. Nothing else comes of
 * it for the page: the user's action is spent in the host's own world before a script of the page can run.
 */
export class UsedMark {
  readonly #page: PageTarget
  readonly #worldName: string
  readonly #isOurs: () => boolean
  /** The host's world in the document that is shown. */
  #contextId: string | undefined

  /** @param isOurs whether the document shown is the web app's or the wrapper's own: no other may keep its user from going */
  constructor(page: PageTarget, worldName: string, isOurs: () => boolean) {
    this.#page = page
    this.#worldName = worldName
    this.#isOurs = isOurs
  }

  /** Takes an event of the page, of which its documents know already. */
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
  /** Whether a link leads out of the web app, for the user's own browser. */
  leadsOutside(url: string): boolean
  openExternal(url: string): void
  /** The user closes the window; it goes once this settles. */
  beforeClose(): Promise<void>
  /** The user closes the window, which is to be minimised. */
  minimise(): void
}

/** Answers the questions that the page, or the browser before the page goes away, puts to the user, where the user is not to. */
export class PageDialogs {
  readonly #options: PageDialogsOptions
  #isOpen = false

  constructor(options: PageDialogsOptions) {
    this.#options = options
  }

  /** Whether the page waits for an answer. */
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
    // Without a window nobody can answer, and the page would wait for ever.
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
