import { PayloadShapeError } from '@service-link/jwt-payload'
import {
  type AuditLog,
  createRateLimiter,
  createReceiver,
  type PartnerDirectory,
  RateLimitedError,
  type Receiver,
  type RenderEnd,
  type RenderRefusal,
  refusalResponse,
  renderBootPage,
  type ShownPartner,
} from '@service-link/receiver'
import { type Language, languageAsked } from '@service-link/ui/language'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { html, raw } from 'hono/html'
import type { Logger } from 'pino'
import type { Auth } from '../auth/create-auth.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import type { AppEnv } from '../http/api.ts'
import { clientAddressOf, limitKey } from '../http/client-address.ts'
import { errorFacts } from '../http/logger.ts'
import { contentSecurityPolicy, readPage } from '../http/own-site.ts'
import type { Metrics } from '../operations/metrics.ts'
import { knownVisits } from './known-visits.ts'
import { databaseRateLimiter, receiverTransactions, sessionsOf } from './receiver-stores.ts'
import en from './refusal-page.en.json' with { type: 'json' }
import nb from './refusal-page.nb.json' with { type: 'json' }

interface PartnerLinkOptions {
  readonly publicUrl: string
  readonly partners: PartnerDirectory
  /** Records refusals, after their answers. */
  readonly audit: AuditLog
  readonly metrics: Metrics | undefined
  readonly auth: Auth
  readonly open: OpenDatabase
  readonly webAppFolder: string
  readonly logger: Logger
}

/** Path of the post, below the service's address (specification 4.1). */
export const payloadPath = '/partner/payload'

/** The service's side of the partner link: one transaction a post, over the service's own database. */
export function createPartnerLink(options: PartnerLinkOptions): Receiver {
  const { publicUrl, partners, auth, open, webAppFolder, logger, metrics, audit } = options
  return createReceiver({
    url: `${publicUrl}${payloadPath}`,
    partners,
    rateLimiter: databaseRateLimiter(open.database),
    audit,
    takeKnownVisit: knownVisits(auth, open, error =>
      logger.warn(errorFacts(error), 'visits failed together, each is taken alone'),
    ),
    runTransaction: receiverTransactions(auth, open),
    sessions: sessionsOf(auth, open),
    renderPage: async (outcome, { nonce, request }) => {
      const page = await readPage(webAppFolder, 'index', request.headers.get('accept-language'))
      return renderBootPage(page, outcome, { nonce })
    },
    renderRefusal,
    renderEnd,
    contentSecurityPolicy,
    onEvent({ requestId, event, result, partnerId, refusal, cause }) {
      const error = cause === undefined ? {} : errorFacts(cause)
      logger[cause === undefined ? 'info' : 'error'](
        { requestId, event, result, partnerId, detail: refusal?.message, ...error },
        'partner link',
      )
      metrics?.observePartnerLink({ result, partnerId })
    },
  })
}

export function receiverRoutes(
  { receive, open, describe }: Pick<Receiver, 'receive' | 'open' | 'describe'>,
  metrics?: Metrics,
) {
  const limit = limitRefusals({
    onLimited: () => metrics?.observePartnerLink({ result: 'ERR_RATE_LIMITED', partnerId: undefined }),
  })
  return new Hono<AppEnv>()
    .use(payloadPath, limit)
    .use(`${payloadPath}/open/*`, limit)
    .all(payloadPath, c => receive(c.req.raw))
    .all(`${payloadPath}/open/:handle`, c => open(c.req.raw))
    .all('/.well-known/partner-link', c => describe(c.req.raw))
}

/** Statuses of refusals that cost a signature check or a query. */
const costlyRefusals: ReadonlySet<number> = new Set([401, 403, 410, 422])

/** `ERR_CROSS_ORIGIN`, which scripts may read, comes before any such work: each page can cause it at its visitors' addresses. */
async function isCostly(answer: Response): Promise<boolean> {
  const { status, headers } = answer
  if (status !== 403 || !headers.has('access-control-allow-origin')) return costlyRefusals.has(status)
  return Object(await answer.clone().json()).code !== 'ERR_CROSS_ORIGIN'
}

/** Most remembered callers of one window; the one that came the longest ago is forgotten. */
const maxCallers = 10_000

interface LimitRefusalsOptions {
  /** Counted refusals of one address in a minute, after which the address is limited. Default 1,000. */
  readonly maxRefused?: number
  /** Refusals of a limited address in a second; further requests are refused unseen. Default 10. */
  readonly maxLooks?: number
  readonly now?: () => number
  /** Called for each request that is refused unseen. Default: nothing. */
  readonly onLimited?: () => void
}

/**
 * Limits bad payloads and guessed one-time URLs, each of which costs a signature check or a query (`ERR_RATE_LIMITED`). Only
 * costly refusals count. Accepted posts do not, so that a busy clinic behind one address is not held up.
 *
 * A few requests of a limited address are still checked, and acceptable ones are taken: a neighbor behind the same
 * address cannot keep a partner out.
 */
export function limitRefusals(options: LimitRefusalsOptions = {}) {
  const { maxRefused = 1000, maxLooks = 10, now = () => performance.now(), onLimited } = options
  const refused = createRateLimiter(undefined, { maxKeys: maxCallers })
  const looks = createRateLimiter(undefined, { windowMs: 1000, maxKeys: maxCallers })
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = limitKey(clientAddressOf(c))
    const at = new Date(now())
    // Counted first, so that many at once do not all get through.
    const counted = await refused.take(caller, maxRefused, at)
    if (counted.isAllowed) {
      await next()
      if (!(await isCostly(c.res))) await refused.giveBack(caller, at)
      return
    }
    const { retryAfterSeconds } = counted
    if (!(await looks.take(caller, maxLooks, at)).isAllowed) {
      onLimited?.()
      return tooManyRefusals(c.req.raw, retryAfterSeconds)
    }
    await next()
    if (!(await isCostly(c.res))) return looks.giveBack(caller, at)
    const requestId = c.res.headers.get('x-request-id') ?? undefined
    const answer = tooManyRefusals(c.req.raw, retryAfterSeconds, requestId)
    // Otherwise the first answer's headers would be added to the second.
    c.res = undefined
    c.res = answer
  })
}

function tooManyRefusals(request: Request, retryAfterSeconds: number, requestId?: string): Response {
  const what = 'Too many requests from this address were refused.'
  return refusalResponse(new RateLimitedError(retryAfterSeconds, what), request, {
    ...(requestId === undefined ? {} : { requestId }),
    renderRefusal,
  })
}

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
export const renderRefusal: RenderRefusal = ({ refusal, requestId, partner, script, request }) => {
  const { code, message } = refusal
  const language = languageAsked(request.headers.get('accept-language'))
  const text = texts[language]
  const claims = refusal instanceof PayloadShapeError ? refusal.issues.map(({ path }) => path).join(', ') : ''
  return pageOf({
    language,
    title: text.title,
    partner,
    content: html`
<p>${text[code]}</p>
<details>
<summary>${text.forDevelopers}</summary>
<dl>
<dt>${text.code}</dt><dd><a href="${refusal.docsUrl}">${code}</a></dd>
<dt>${text.reason}</dt><dd lang="en">${message}</dd>
${claims && html`<dt>${text.claims}</dt><dd>${claims}</dd>`}
<dt>${text.request}</dt><dd>${requestId}</dd>
</dl>
</details>${raw(script)}`,
  })
}

/** The page that answers a signed end, in the reader's language. */
const renderEnd: RenderEnd = ({ end, partner, script, request }) => {
  const language = languageAsked(request.headers.get('accept-language'))
  const text = texts[language]
  const title = end === 'context' ? text.endedContext : text.endedSession
  return pageOf({ language, title, partner, content: html`<p>${text.endedText}</p>${raw(script)}` })
}

interface SmallPage {
  readonly language: Language
  readonly title: string
  readonly partner: ShownPartner | undefined
  readonly content: ReturnType<typeof html>
}

function pageOf({ language, title, partner, content }: SmallPage): string {
  const { displayName, color = '#0f766e' } = partner?.appearance ?? {}
  return String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(`:root{--partner:${color}}${style}`)}</style>
</head>
<body>
<main>
${partner && html`<p class="partner"><bdi>${displayName ?? partner.name}</bdi></p>`}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`)
}
