import { PayloadShapeError, type RefusalCode } from '@service-link/jwt-payload'
import { escapeHtml, type Refusal } from '@service-link/jwt-payload/steps'
import type { ShownPartner } from '../partner-directory.ts'

/** The facts for the page of a refusal. */
export interface RefusalFacts {
  /** `code`, `message` and `docsUrl` for the partner's developer, and the failing paths of `PayloadShapeError`. */
  readonly refusal: Refusal
  readonly requestId: string
  /** `undefined` before the signature was verified. */
  readonly partner: ShownPartner | undefined
  /** A script element that tells the partner's page around a frame; put it into the page as it is. Empty outside of a frame. */
  readonly script: string
  /** For its `Accept-Language`. */
  readonly request: Request
}

/**
 * Writes the page of a refusal, as a whole HTML document. Its Content-Security-Policy allows inline styles and the given script,
 * and no image, form or address. If it throws or gives no text, the built-in page is sent.
 */
export type RenderRefusal = (facts: RefusalFacts) => string

/** Renders a page, or the built-in one if that fails. */
export function renderSafely<Facts>(
  render: (facts: Facts) => string,
  builtIn: (facts: Facts) => string,
  facts: Facts,
): string {
  try {
    const page: unknown = render(facts)
    if (typeof page === 'string') return page
  } catch {}
  return builtIn(facts)
}

const again = 'Open the service from your application again.'

const support = 'If it happens again, tell the support of your application.'

/** Sentences for the person who sees the page, who can do little about most refusals. */
const sentences: Partial<Record<RefusalCode, string>> = {
  ERR_METHOD_NOT_ALLOWED: `This address works from your application alone. ${again}`,
  ERR_PARTNER_INACTIVE: 'Your application may not open the service at the moment. Ask its support.',
  ERR_END_NOT_ALLOWED: `Nothing was ended: the service does not let your application do so. ${support}`,
  ERR_PAYLOAD_EXPIRED: `This link is too old. ${again} ${support}`,
  ERR_PAYLOAD_REPLAYED: `This link was already used. ${again}`,
  ERR_LINK_GONE: `This link was already used, or it is too old. ${again}`,
  ERR_RATE_LIMITED: `Too much was opened at once. Wait a minute. ${again}`,
  ERR_UNAVAILABLE: `The service does not answer at the moment. Wait a minute. ${again}`,
}

/** The sentence of a refusal for the person who sees its page. */
export function sentenceOf(code: RefusalCode): string {
  return (
    sentences[code] ?? `Your application sent something that the service does not take. ${again} ${support}`
  )
}

/** The built-in page: a sentence for its reader, and what the partner's developer needs in a fold. */
export function renderRefusalPage({ refusal, requestId, script }: RefusalFacts): string {
  const { code, docsUrl, message } = refusal
  const paths = refusal instanceof PayloadShapeError ? refusal.issues.map(({ path }) => path) : []
  const rows: readonly (readonly [string, string])[] = [
    ['Code', `<a href="${escapeHtml(docsUrl)}">${code}</a>`],
    ['Reason', escapeHtml(message)],
    ...(paths.length > 0 ? [['Claims', escapeHtml(paths.join(', '))] as const] : []),
    ['Request', escapeHtml(requestId)],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The service was not opened</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}dd{margin:0 0 .5rem;overflow-wrap:anywhere}dt{font-weight:600}</style>
</head>
<body>
<main>
<h1>The service was not opened</h1>
<p>${escapeHtml(sentenceOf(code))}</p>
<details>
<summary>For developers</summary>
<dl>
${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}
</dl>
</details>
</main>
${script}</body>
</html>
`
}
