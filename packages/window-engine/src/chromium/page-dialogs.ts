import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { PageTarget } from '../devtools/page-target.ts'
import type { CloseGuard } from './close-guard.ts'

/** What {@link PageDialogs} decides with. */
export interface PageDialogsOptions {
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
