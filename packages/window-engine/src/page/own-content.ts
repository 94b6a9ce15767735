import type { OwnPage, WindowLook } from '../engine.ts'

/**
 * Address of the wrapper's own pages, which the host fills. No policy blocks it. A document there that the host has opened has an
 * origin of its own, without storage and out of each page's reach; one that a page has opened has that page's origin.
 */
export const ownAddress = 'about:blank'

/** Color of wrappers without a brand. */
const neutral: WindowLook = { color: '#2563a8' }

/**
 * Expression that fills the first page of the window: a bar of the brand's color. The web app is loaded once user agent and page
 * script are in place.
 */
export function startPage(look?: WindowLook): string {
  return `void (document.documentElement.innerHTML = ${JSON.stringify(startContent(look))})`
}

/** The content of the first page. The icon keeps a browser from asking the server of the page's address for one. */
export function startContent({ color } = neutral): string {
  return `<head><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>\u2026</title></head><body><style>html{border-top:6px solid ${color}}</style>`
}

/** A window too small for the text scrolls, without a bar. The row of a notice is a padding of the root. */
const style = `
:root { color-scheme: light dark; box-sizing: border-box; height: 100%; scrollbar-width: none; background: Canvas; color: CanvasText;
  border-top: 6px solid var(--brand); font: clamp(.75rem, .5rem + 1.5vmin, 1rem)/1.5 system-ui, sans-serif }
body { box-sizing: border-box; min-height: 100%; margin: 0; padding: clamp(.5rem, 4vmin, 2rem); display: grid; place-content: center }
main { max-width: 34rem; overflow-wrap: anywhere }
img { display: block; width: 2.5rem; height: 2.5rem; margin-bottom: 1rem }
h1 { margin: 0 0 .75rem; font-size: 1.5em; font-weight: 600; line-height: 1.25 }
p { margin: 0 0 1rem }
div { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; padding: .5rem 1.25rem; border: 1px solid light-dark(#767676, #8a8a8a); border-radius: .375rem;
  background: transparent; color: inherit; cursor: default }
button:first-child { background: var(--brand); color: var(--on-brand) }
button:hover { filter: brightness(1.1) }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px }
@media (forced-colors: active) { button:first-child { border-color: ButtonBorder } }
`

const maxPictureBytes = 256 * 1024

/** The picture in base64; `undefined` where there is none, or a large one. */
const pictureOf = ({ picture }: WindowLook) =>
  picture && picture.length <= maxPictureBytes ? Buffer.from(picture).toString('base64') : undefined

/** Gives the window the picture as its icon. */
function iconTag(look: WindowLook): string {
  const picture = pictureOf(look)
  return picture === undefined ? '' : `<link rel="icon" href="data:image/png;base64,${picture}">`
}

/** Black or white: the one of more contrast with a color (WCAG 2, relative luminance). */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}

/** The content of a page of the wrapper. It runs no script and loads nothing. */
export function ownPageContent({ title, paragraphs, buttons }: OwnPage, look: WindowLook = neutral): string {
  const picture = pictureOf(look)
  return `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${iconTag(look)}<title>${escapeText(title)}</title><style>:root { --brand: ${look.color}; --on-brand: ${textOn(look.color)} }${style}</style></head>
<body><main>${picture === undefined ? '' : `<img src="data:image/png;base64,${picture}" alt="">`}<h1>${escapeText(title)}</h1>${paragraphs.map(text => `<p>${escapeText(text)}</p>`).join('')}
${buttons.length > 0 ? `<div>${buttons.map(buttonTag).join('')}</div>` : ''}
</main></body>`
}

/**
 * Runs in the host's world of a document at {@link ownAddress}: fills it, and tells which button the user presses. Leaves a document
 * with the origin of a page as it is: that page could write the labels, and read them.
 */
export const drawOwnPage = `function (content, language, bindingName) {
  if (globalThis.origin !== 'null') return
  document.documentElement.lang = language
  document.documentElement.innerHTML = content
  document.querySelector('button')?.focus()
  addEventListener('click', event => {
    const action = event.isTrusted && event.target instanceof HTMLButtonElement && event.target.dataset.action
    if (typeof action === 'string') globalThis[bindingName](JSON.stringify({ is: 'pressed', action }))
  }, { capture: true })
}`

/** Arguments of {@link drawNotice} for a look. */
export function noticeLook(look: WindowLook = neutral) {
  return { color: look.color, picture: pictureOf(look) ?? null }
}

function buttonTag({ action, label }: OwnPage['buttons'][number]): string {
  return `<button type="button" data-action="${escapeText(action)}">${escapeText(label)}</button>`
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
export const drawNotice = `function (notice, bindingName, look) {
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
  background: Canvas !important; color: CanvasText !important;
  border-top: 4px solid \${look.color} !important; font: 14px/1.4 system-ui, sans-serif !important }
canvas { width: 24px; height: 24px }
div { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 6px 12px }
span { flex: 1 1 16em; overflow-wrap: anywhere }
button { font: inherit; color: inherit; padding: 3px 12px; border: 1px solid currentColor; border-radius: 4px; background: transparent }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }\`)
  root.adoptedStyleSheets = [sheet]
  const line = document.createElement('div')
  const text = document.createElement('span')
  line.setAttribute('role', 'status')
  if (look.picture) {
    // An image of the document would need the page's content policy.
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 48
    const bytes = Uint8Array.from(atob(look.picture), character => character.charCodeAt(0))
    createImageBitmap(new Blob([bytes])).then(
      picture => canvas.getContext('2d').drawImage(picture, 0, 0, 48, 48),
      () => canvas.remove(),
    )
    line.append(canvas)
  }
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
