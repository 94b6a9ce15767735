import { PayloadShapeError } from '@service-link/jwt-payload'
import type { RenderRefusal } from '@service-link/receiver'
import { html, raw } from 'hono/html'
import { type Language, languageOf } from '../../web/texts/language.ts'
import en from './refusal-page.en.json' with { type: 'json' }
import nb from './refusal-page.nb.json' with { type: 'json' }

const texts: Readonly<Record<Language, typeof en>> = { en, nb }

/** Each color has enough contrast on its background, light and dark. A partner's color is a stripe without text. */
const style = `:root{color-scheme:light dark;--page:light-dark(#f5f7f7,#101615);--surface:light-dark(#fff,#18211f);
--text:light-dark(#1d2b2a,#e4ecea);--quiet:light-dark(#4b5b5a,#a9b8b6);--border:light-dark(#dfe6e5,#303d3b)}
body{margin:0;padding:12vh 16px 16px;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,"Noto Sans",sans-serif}
main{box-sizing:border-box;max-width:34rem;margin:auto;padding:1.5rem;background:var(--surface);border:1px solid var(--border);
border-top:6px solid var(--partner);border-radius:12px;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:.3rem 0 .6rem}.partner{margin:0;font-weight:600;color:var(--quiet)}summary{cursor:pointer}
details{margin-top:1.5rem;color:var(--quiet)}a{color:inherit}dt{font-weight:600}dd{margin:0 0 .5rem}`

/** The page of a refusal in the reader's language, with the name and the color of the verified partner. */
export const renderRefusal: RenderRefusal = ({ refusal, requestId, helpUrl, partner, request }) => {
  const { code, message } = refusal
  const preferred = (request.headers.get('accept-language') ?? '').split(',').map(range => range.trim())
  const language = languageOf(preferred)
  const text = texts[language]
  const { displayName, color = '#0f766e' } = partner?.appearance ?? {}
  const claims = refusal instanceof PayloadShapeError ? refusal.issues.map(({ path }) => path).join(', ') : ''
  return String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text.title}</title>
<style>${raw(`:root{--partner:${color}}${style}`)}</style>
</head>
<body>
<main>
${partner && html`<p class="partner"><bdi>${displayName ?? partner.name}</bdi></p>`}
<h1>${text.title}</h1>
<p>${text[code]}</p>
<details>
<summary>${text.forDevelopers}</summary>
<dl>
<dt>${text.code}</dt><dd><a href="${helpUrl}">${code}</a></dd>
<dt>${text.reason}</dt><dd lang="en">${message}</dd>
${claims && html`<dt>${text.claims}</dt><dd>${claims}</dd>`}
<dt>${text.request}</dt><dd>${requestId}</dd>
</dl>
</details>
</main>
</body>
</html>
`)
}
