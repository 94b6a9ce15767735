import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'

/** What is to be done when the browser asks whether the document may go away. */
export type UnloadAnswer =
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
