import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { PageTarget } from '../devtools/page-target.ts'

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
