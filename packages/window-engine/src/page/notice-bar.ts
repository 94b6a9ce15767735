import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { PageTarget } from '../devtools/page-target.ts'
import type { WindowNotice } from '../own-content.ts'

/** How long after the page has taken the notice away, or has put something above it, it is put back, in milliseconds. */
const putBackMs = 500

/**
 * Runs in the host's own world of a document, once for each notice (`null` takes it away). It adds an element at the bottom edge,
 * where it covers no menu of the web app, in the browser's top layer. What is in it is out of the page's reach: a closed shadow
 * tree, with a constructed style sheet, which the page's content policy does not govern and whose important rules come before
 * any of the page's. No script of the page can press its buttons.
 *
 * The element itself is one of the page's document. A page that means to can hide it, take it away again and again, or make it
 * inert, as each modal dialog does as long as it is open; and what opens later than the notice is above it until the notice
 * has raised itself again.
 */
const drawFunction = `function (notice, bindingName) {
  globalThis.removeNotice?.()
  if (!notice) return
  const tell = action => { remove(); globalThis[bindingName](JSON.stringify({ is: 'notice', action })) }
  const host = document.createElement('div')
  host.popover = 'manual'
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(\`
:host { all: initial !important; display: block !important; position: fixed !important; inset: auto 0 0 0 !important;
  width: auto !important; margin: 0 !important; border: 0 !important; color-scheme: light dark !important;
  background: light-dark(#fff8dc, #3b3413) !important; color: light-dark(#1c1a10, #fbf4d9) !important;
  border-top: 1px solid light-dark(#c9b458, #7d6f2c) !important; font: 14px/1.4 system-ui, sans-serif !important }
div { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 6px 12px }
span { flex: 1 1 16em; overflow-wrap: anywhere }
button { font: inherit; color: inherit; padding: 3px 12px; border: 1px solid currentColor; border-radius: 4px; background: transparent }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }\`)
  root.adoptedStyleSheets = [sheet]
  const line = document.createElement('div')
  const text = document.createElement('span')
  line.setAttribute('role', 'status')
  line.append(text)
  const addButton = (label, action) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', event => { if (event.isTrusted) tell(action) })
    line.append(button)
  }
  if (notice.followLabel) addButton(notice.followLabel, 'follow')
  addButton(notice.dismissLabel, 'dismiss')
  root.append(line)
  let timer
  const show = () => {
    if (!host.isConnected) document.documentElement.append(host)
    if (!host.matches(':popover-open')) host.showPopover()
    text.textContent = notice.text
  }
  const raise = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (host.matches(':popover-open')) host.hidePopover()
      show()
    }, ${putBackMs})
  }
  const watcher = new MutationObserver(() => { if (!host.isConnected) raise() })
  const look = ({ target, newState }) => {
    const isOfTopLayer = target instanceof HTMLDialogElement || target.popover != null
    if (target === host ? !host.matches(':popover-open') : isOfTopLayer && newState === 'open') raise()
  }
  const begin = () => {
    show()
    watcher.observe(document.documentElement, { childList: true })
    document.addEventListener('toggle', look, true)
  }
  const remove = globalThis.removeNotice = () => {
    document.removeEventListener('DOMContentLoaded', begin)
    document.removeEventListener('toggle', look, true)
    watcher.disconnect()
    clearTimeout(timer)
    host.remove()
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true })
  else begin()
}`

/** Keeps a notice above whatever document the page shows, until it is taken away. */
export class NoticeBar {
  readonly #page: PageTarget
  /** The host's world, and the name of the function that it has to tell the host. */
  readonly #worldName: string
  #notice: WindowNotice | undefined
  /** The world in the document that is shown. */
  #contextId: string | undefined

  constructor(page: PageTarget, worldName: string) {
    this.#page = page
    this.#worldName = worldName
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    if (event.name === 'Runtime.executionContextsCleared' || event.name === 'Inspector.targetCrashed')
      this.#contextId = undefined
    if (event.name !== 'Runtime.executionContextCreated') return
    const { name, uniqueId, auxData } = event.facts.context
    if (name !== this.#worldName || auxData.frameId !== this.#page.targetId) return
    this.#contextId = uniqueId
    if (this.#notice) this.#draw()
  }

  /** Shows a notice in place of the one that is there, or none. A document that does not answer is left out. */
  set(notice: WindowNotice | undefined): void {
    this.#notice = notice
    this.#draw()
  }

  #draw(): void {
    if (this.#contextId === undefined) return
    this.#page.tell('Runtime.callFunctionOn', {
      functionDeclaration: drawFunction,
      uniqueContextId: this.#contextId,
      arguments: [{ value: this.#notice ? { ...this.#notice } : null }, { value: this.#worldName }],
    })
  }
}
