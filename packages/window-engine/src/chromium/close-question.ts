import type { DevToolsEvent, DevToolsFacts } from '../devtools/devtools-protocol.ts'

/** Answer to the browser's question whether the document may go away. */
type UnloadAnswer =
  /** Let a navigation go on. */
  | 'let-go'
  /** Let the user close the window. */
  | 'close'
  /** Minimize the window instead of closing it. */
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
    if (event.name === 'Page.frameRequestedNavigation') this.#request(event.facts)
    if (event.name === 'Page.frameStartedNavigating') this.#start(event.facts)
    if (event.name === 'Page.frameNavigated') this.#arrive(event.facts.frame)
    if (event.name === 'Page.frameStoppedLoading') this.#stop(event.facts)
    if (event.name === 'Page.javascriptDialogOpening')
      this.#isQuestionOpen = event.facts.type === 'beforeunload'
    if (event.name !== 'Page.javascriptDialogClosed') return
    if (this.#isQuestionOpen && !event.facts.result) this.#navigation = undefined
    this.#isQuestionOpen = false
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

  #request({ frameId, url, reason, disposition }: DevToolsFacts<'Page.frameRequestedNavigation'>): void {
    // A download, or a link for another window, leaves this document alone.
    if (frameId !== this.#mainFrameId || disposition !== 'currentTab') return
    this.#navigation = { requestedUrl: url, isLink: reason === 'anchorClick', isAsked: false }
  }

  #start({ frameId, url, loaderId, navigationType }: DevToolsFacts<'Page.frameStartedNavigating'>): void {
    if (frameId !== this.#mainFrameId || /sameDocument$/i.test(navigationType)) return
    if (loaderId === this.#shownLoaderId || loaderId === this.#navigation?.loaderId) return
    const { isAsked, requestedUrl, loaderId: known } = this.#navigation ?? {}
    const isTheRequested = isAsked === true && known === undefined && requestedUrl === url
    this.#navigation = { loaderId, isAsked: isTheRequested }
  }

  #stop({ frameId }: DevToolsFacts<'Page.frameStoppedLoading'>): void {
    // An earlier load has stopped if the document was not asked yet.
    if (frameId === this.#mainFrameId && this.#navigation?.isAsked) this.#navigation = undefined
  }

  #arrive({ parentId, loaderId }: DevToolsFacts<'Page.frameNavigated'>['frame']): void {
    if (parentId !== undefined) return
    this.#shownLoaderId = loaderId
    const running = this.#navigation?.loaderId
    if (running === undefined || running === loaderId) this.#navigation = undefined
  }
}
