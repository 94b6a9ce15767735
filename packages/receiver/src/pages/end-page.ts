import type { EndClaims } from '@service-link/protocol-core/person'
import type { ShownPartner } from '../partner-directory.ts'

/** The facts for the page that answers a signed end. */
export interface EndFacts {
  /** `context`: nobody is in focus any more; `session`: the user is signed out, too. */
  readonly end: EndClaims['end']
  readonly requestId: string
  readonly partner: ShownPartner
  /** A script element that tells the web app's other tabs, and the partner's page around a frame; put it into the page as it is. */
  readonly script: string
  /** For its `Accept-Language`. */
  readonly request: Request
}

/**
 * Writes the page that answers a signed end, as a whole HTML document. Its Content-Security-Policy allows inline styles and the given
 * script alone. If it throws or gives no text, the built-in page is sent.
 */
export type RenderEnd = (facts: EndFacts) => string

/**
 * Sets the item `service-link-end` of the local storage: the web app's tabs in this browser then get a `storage` event. Storage may be
 * switched off.
 */
export function endScript(requestId: string): string {
  return `try{localStorage.setItem('service-link-end',${JSON.stringify(requestId)})}catch{}`
}

const sentences = {
  context: 'Nobody is selected any more.',
  session: 'You are signed out.',
} as const

/** The built-in page, in English. */
export function renderEndPage({ end, script }: EndFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${sentences[end]}</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
</head>
<body>
<main>
<h1>${sentences[end]}</h1>
<p>Your application has ended this. You can close this page.</p>
</main>
${script}
</body>
</html>
`
}
