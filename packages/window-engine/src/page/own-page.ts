import type { OwnPage } from '../own-content.ts'

/** What no page can go to by itself: documents of such an address are the host's. */
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
 * Address of a page of the wrapper's own: the whole document, text only. Nothing runs in it and nothing is loaded; its buttons
 * are heard by the host's world (see `host-world.ts`).
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
