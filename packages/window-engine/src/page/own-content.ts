import type { OwnPage } from '../engine.ts'

/**
 * First address of the window: an empty page. The web app is loaded once user agent and page script are in place. With
 * `about:blank` the browser would open no app window.
 */
export const startPage = `data:text/html;charset=utf-8,${encodeURIComponent(
  '<meta name="color-scheme" content="light dark"><title>\u2026</title>',
)}`

/** Start of the addresses of the wrapper's own pages. Pages cannot navigate to such an address. */
export const ownAddressStart = 'data:text/html;charset=utf-8,'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
body { box-sizing: border-box; min-height: 100vh; margin: 0; padding: 2rem; display: grid; place-content: center }
main { max-width: 34rem }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; font-weight: 600; line-height: 1.25 }
p { margin: 0 0 1rem }
div { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; padding: .5rem 1.25rem; border: 1px solid light-dark(#767676, #8a8a8a); border-radius: .375rem;
  background: transparent; color: inherit; cursor: default }
button:first-child { background: light-dark(#0b57a4, #9cc7f5); border-color: transparent; color: light-dark(#fff, #06213d) }
button:hover { filter: brightness(1.1) }
:focus-visible { outline: 3px solid light-dark(#0b57a4, #9cc7f5); outline-offset: 2px }
@media (forced-colors: active) { button:first-child { border-color: ButtonBorder } }
`

/**
 * Address of a page of the wrapper, which holds the whole document. It runs no script and loads nothing. The host's world hears its
 * buttons (see `host-world.ts`).
 */
export function ownPageAddress({ title, paragraphs, buttons, language = 'en' }: OwnPage): string {
  const html = `<!doctype html><html lang="${escapeText(language)}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeText(title)}</h1>${paragraphs.map(text => `<p>${escapeText(text)}</p>`).join('')}
${buttons.length > 0 ? `<div>${buttons.map((button, index) => buttonTag(button, index === 0)).join('')}</div>` : ''}
</main></body></html>`
  return ownAddressStart + encodeURIComponent(html)
}

function buttonTag({ action, label }: OwnPage['buttons'][number], isFirst: boolean): string {
  return `<button type="button" data-action="${escapeText(action)}"${isFirst ? ' autofocus' : ''}>${escapeText(label)}</button>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, character => entities[character] ?? '')
}

/**
 * Runs in the host's world of a document, once for each notice; `null` removes it. It adds an element to the browser's top layer, at
 * the bottom edge, in a row of its own: the document gets a padding of its height, and `--host-notice-height` for what the page itself
 * puts at that edge. The content is a closed shadow tree with a constructed style sheet: the page's content
 * policy does not apply, and its important rules win. No script of the page can press the buttons.
 *
 * The element itself belongs to the page's document: a page can hide or remove it until the next load, a popover that opens later
 * is above it, and an open modal dialog makes it inert.
 */
export const drawNotice = `function (notice, bindingName) {
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
  const reserve = new ResizeObserver(() => {
    const { style } = document.documentElement
    const height = host.offsetHeight + 'px'
    style.setProperty('padding-bottom', height, 'important')
    style.setProperty('--host-notice-height', height)
  })
  const show = () => {
    document.documentElement.append(host)
    host.showPopover()
    text.textContent = notice.text
    reserve.observe(host)
  }
  const remove = globalThis.removeNotice = () => {
    document.removeEventListener('DOMContentLoaded', show)
    reserve.disconnect()
    for (const name of ['padding-bottom', '--host-notice-height']) document.documentElement?.style.removeProperty(name)
    host.remove()
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show, { once: true })
  else show()
}`
