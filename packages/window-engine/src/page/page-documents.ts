import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import { PageCallError, type PageCallFault } from '../engine-error.ts'

/** The document that the window shows. */
export interface PageDocument {
  readonly origin: string
  /** Names its global object for calls; never used again by another document. */
  readonly uniqueContextId: string
  /** Aborted, with a {@link PageCallError}, when the document goes away. */
  readonly signal: AbortSignal
}

/**
 * Knows the document in the main frame of one page from the browser's events. Frames inside it and the worlds of
 * extensions do not count.
 */
export class PageDocuments {
  readonly #mainFrameId: string
  #current: (PageDocument & { readonly contextId: number; readonly controller: AbortController }) | undefined

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId
  }

  get current(): PageDocument | undefined {
    return this.#current
  }

  /** The document whose global object has this number; `undefined` for frames, other worlds and what is gone. */
  find(contextId: number): PageDocument | undefined {
    return this.#current?.contextId === contextId ? this.#current : undefined
  }

  /**
   * Takes an event of the page.
   *
   * @returns whether a document went away with it
   */
  apply(event: DevToolsEvent): boolean {
    if (event.name === 'Runtime.executionContextsCleared') return this.end('navigated')
    if (event.name === 'Runtime.executionContextDestroyed')
      return event.facts.executionContextId === this.#current?.contextId && this.end('navigated')
    if (event.name !== 'Runtime.executionContextCreated') return false
    const { id, uniqueId, origin, auxData } = event.facts.context
    if (!auxData.isDefault || auxData.frameId !== this.#mainFrameId) return false
    // Told anew to whoever attaches anew.
    if (uniqueId === this.#current?.uniqueContextId) return false
    const hasEnded = this.end('navigated')
    const controller = new AbortController()
    this.#current = {
      origin,
      uniqueContextId: uniqueId,
      contextId: id,
      controller,
      signal: controller.signal,
    }
    return hasEnded
  }

  /**
   * Ends the document, if there is one; calls into it are rejected.
   *
   * @returns whether there was one
   */
  end(fault: PageCallFault): boolean {
    const ended = this.#current
    this.#current = undefined
    ended?.controller.abort(new PageCallError(fault))
    return ended !== undefined
  }
}
