/** What a client asks for. */
export interface Wanted {
  /** The page, or a URL in JSON instead; `undefined`: it takes either. */
  readonly prefers: 'page' | 'link' | undefined
  /** A refusal as a page that a person reads, instead of problem+json. */
  readonly wantsHtmlProblem: boolean
}

/**
 * Reads `Accept` (RFC 9110, 12.5.1). Who names JSON and prefers it to HTML gets the URL, who names HTML gets the page, the
 * rest what is registered for the partner; only one that names HTML and does not prefer JSON to it gets a refusal as HTML.
 */
export function negotiate(accept: string | null): Wanted {
  const quality = readAccept(accept ?? '')
  const html = Math.max(quality.get('text/html') ?? 0, quality.get('application/xhtml+xml') ?? 0)
  const json = quality.get('application/json') ?? 0
  const problem = Math.max(json, quality.get('application/problem+json') ?? 0)
  return {
    prefers: json > html ? 'link' : html > 0 ? 'page' : undefined,
    wantsHtmlProblem: html > 0 && html >= problem,
  }
}

function readAccept(accept: string): Map<string, number> {
  const quality = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim())
    const q = parameters.find(parameter => parameter.startsWith('q='))
    const value = q === undefined ? 1 : Number(q.slice(2))
    quality.set(type, Number.isFinite(value) ? value : 0)
  }
  return quality
}
