import { listen } from '@service-link/test-kit/serve'
import type { Browser } from 'playwright-core'
import { prepareBrowser } from '../measure/browser.ts'
import { inTurns, medianOf } from '../measure/calls.ts'
import { startParty } from '../parties/start-party.ts'
import type { Goal, MeasuredPath, Row } from '../report.ts'

/** A post from a partner's page, with empty caches, until the web app shows the person's name. */
export const webAppPath: MeasuredPath = {
  name: 'web',
  title: 'Web app: from the click at the partner to the person in focus',
  async measure() {
    const found = await prepareBrowser()
    if ('reason' in found) return { skipped: found.reason }
    await using resources = new AsyncDisposableStack()
    resources.use(found)
    const demo = resources.use(await startParty('demo'))
    const payloadUrl = new URL(JSON.parse(demo.address).payloadUrl)
    const floor = resources.use(await serveHtml(() => floorPage))
    let form = ''
    const partner = resources.use(await serveHtml(() => form))
    const browser = resources.use(await found.launch())
    // Another host than the service's, and so another site.
    const partnerUrl = `http://127.0.0.1:${partner.port}`
    const visitOf = async (origin: string) => {
      form = formPage(origin + payloadUrl.pathname, String(await demo.ask()))
      return openVisit(browser, partnerUrl)
    }
    const visits = await inTurns(
      { floor: () => visitOf(`http://localhost:${floor.port}`), ours: () => visitOf(payloadUrl.origin) },
      { rounds: 12, warmUp: 2 },
    )
    const row = (name: string, unit: Row['unit'], goal: Goal, of: (visit: Visit) => number): Row => ({
      name,
      unit,
      beside: { of: 'one page', value: medianOf(visits.floor, of) },
      ours: medianOf(visits.ours, of),
      goal,
    })
    const most = (atMost: number) => ({ on: 'ours', atMost }) as const
    return {
      rows: [
        row('click to the name in focus, median', 'ms', { on: 'ratio', atMost: 3.2 }, visit => visit.ms),
        row('  requests until then', 'requests', most(4), ({ requests }) => requests.length),
        row('  bytes of their answers, headers too', 'kB', most(150), ({ requests }) =>
          requests.reduce((sum, { bytes }) => sum + bytes / 1000, 0),
        ),
      ],
    }
  },
}

interface Visit {
  readonly ms: number
  /** Requests that began before the name was in the page. */
  readonly requests: readonly { readonly path: string; readonly bytes: number }[]
}

/** Goes to the partner's page without any cache, and clicks. Click and name are timed in their pages. */
async function openVisit(browser: Browser, partnerUrl: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const clicked = Promise.withResolvers<number>()
    const shown = Promise.withResolvers<{ named: number; drawn: number }>()
    await context.exposeFunction('tellClick', clicked.resolve)
    await context.exposeFunction('tellName', (named: number, drawn: number) =>
      shown.resolve({ named, drawn }),
    )
    await context.addInitScript(watchPage)
    const page = await context.newPage()
    await page.goto(partnerUrl)
    const network = await context.newCDPSession(page)
    const requests = new Map<string, { path: string; at: number; bytes: number }>()
    network.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
      requests.set(requestId, { path: new URL(request.url).pathname, at: wallTime * 1000, bytes: 0 })
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const request = requests.get(requestId)
      if (request) request.bytes = encodedDataLength
    })
    await network.send('Network.enable')
    await page.locator('button').click()
    const { named, drawn } = await shown.promise
    await page.waitForLoadState('networkidle')
    return {
      ms: drawn - (await clicked.promise),
      requests: [...requests.values()].filter(({ at }) => at < named),
    }
  } finally {
    await context.close()
  }
}

/** Runs in each page, before its own scripts. */
function watchPage(): void {
  const page = globalThis as unknown as {
    document: { querySelector: (selector: string) => { textContent: string } | null }
    addEventListener: (type: string, listener: () => void, isEarly: boolean) => void
    requestAnimationFrame: (call: () => void) => void
    MutationObserver: new (
      call: () => void,
    ) => { observe: (of: unknown, how: object) => void; disconnect: () => void }
    tellClick: (at: number) => void
    tellName: (named: number, drawn: number) => void
  }
  const now = () => performance.timeOrigin + performance.now()
  page.addEventListener('click', () => page.tellClick(now()), true)
  const observer = new page.MutationObserver(() => {
    if (!page.document.querySelector('[data-testid="person-in-focus"]')?.textContent) return
    observer.disconnect()
    const named = now()
    page.requestAnimationFrame(() => setTimeout(() => page.tellName(named, now())))
  })
  observer.observe(page.document, { childList: true, subtree: true })
}

const documentOf = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
  <link rel="icon" href="data:,"></head><body>${body}</body></html>`

const floorPage = documentOf('<p data-testid="person-in-focus">Åse Øvergård</p>')

const formPage = (action: string, payload: string) =>
  documentOf(`<form method="post" action="${action}">
    <input type="hidden" name="payload" value="${payload}"><button>Open</button></form>`)

const serveHtml = (html: () => string) =>
  listen((request, response) => {
    request.resume()
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('cache-control', 'no-store')
      .end(html())
  })
