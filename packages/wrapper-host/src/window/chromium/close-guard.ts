import type { DevToolsEvent } from './devtools-protocol.ts'

/** What is to be done when the browser asks whether the document may go away. */
export type UnloadAnswer = 'let-go' | 'minimise'

/**
 * Tells a navigation from the user closing the window, both of which make the browser ask (`beforeunload`): before a
 * navigation the browser says that one begins in the main frame.
 */
export class CloseGuard {
  readonly #mainFrameId: string
  #isNavigating = false

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    switch (event.name) {
      case 'Page.frameRequestedNavigation':
      case 'Page.frameStartedNavigating':
        // Addresses such as mailto: begin no navigation that would end.
        if (event.facts.frameId === this.#mainFrameId && /^(https?|about|data|blob):/.test(event.facts.url))
          this.#isNavigating = true
        break
      case 'Page.frameNavigated':
        if (event.facts.frame.parentId === undefined) this.#isNavigating = false
        break
      case 'Page.frameStoppedLoading':
        if (event.facts.frameId === this.#mainFrameId) this.#isNavigating = false
        break
      default:
    }
  }

  /** Decides on a question of the browser. */
  answer(isMinimising: boolean): UnloadAnswer {
    return isMinimising && !this.#isNavigating ? 'minimise' : 'let-go'
  }
}
