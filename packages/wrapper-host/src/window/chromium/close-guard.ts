import type { DevToolsEvent } from './devtools-protocol.ts'

/** What is to be done when the browser asks whether the document may go away. */
export type UnloadAnswer =
  /** Nobody objects. */
  | 'let-go'
  /** The user closes the window, which is to be minimised instead. */
  | 'minimise'
  /** The page itself objects, for unsaved work: the browser's question stays for the user to answer. */
  | 'ask-user'

type Navigation =
  | { readonly is: 'none' }
  /** One has begun and its document was not asked yet. */
  | { readonly is: 'begun'; readonly requestedUrl?: string }
  /** Its document was asked, and let go. */
  | { readonly is: 'asked'; readonly requestedUrl?: string }

/**
 * Tells a navigation from the user closing the window, both of which make the browser ask (`beforeunload`). Before a
 * navigation asks, the browser says that it begins in the main frame: one that the page requests is told once as requested,
 * asks, and is then told as started; one from outside is told as started, and asks. Each asks once, so that a second question
 * is the user's, who closes a window that still waits for a slow server. A request such as `mailto:` asks and never starts.
 */
export class CloseGuard {
  readonly #mainFrameId: string
  #navigation: Navigation = { is: 'none' }
  #pageObjects = false

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    switch (event.name) {
      case 'Page.frameRequestedNavigation':
        if (event.facts.frameId === this.#mainFrameId)
          this.#navigation = { is: 'begun', requestedUrl: event.facts.url }
        break
      case 'Page.frameStartedNavigating':
        if (event.facts.frameId === this.#mainFrameId) this.#start(event.facts.url)
        break
      case 'Page.frameNavigated':
        if (event.facts.frame.parentId === undefined) this.#navigation = { is: 'none' }
        break
      case 'Page.frameStoppedLoading':
        if (event.facts.frameId === this.#mainFrameId) this.#navigation = { is: 'none' }
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
    const isNavigation = this.#navigation.is === 'begun'
    if (isNavigation) this.#navigation = { ...this.#navigation, is: 'asked' }
    if (isMinimising && !isNavigation) return 'minimise'
    return objects ? 'ask-user' : 'let-go'
  }

  #start(url: string): void {
    const isTheRequested = this.#navigation.is === 'asked' && this.#navigation.requestedUrl === url
    this.#navigation = { is: isTheRequested ? 'asked' : 'begun' }
  }
}
