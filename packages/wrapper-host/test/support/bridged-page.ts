import { nextEvent } from '@service-link/test-kit/next-event'
import { pageModules } from '@service-link/test-kit/page-modules'
import { serveSite, type TestPage, type TestPages, type TestSite } from '@service-link/test-kit/site'
import { openTestWindow, type TestWindow } from '@service-link/test-kit/test-window'
import { describeEvent, levelOf, type ReportEvent } from '../../src/log/events.ts'
import { Bridge, pageScript } from '../../src/web-app/bridge.ts'

export const info = { version: '3.0.0.0', distributorName: 'Acme', launchParameters: { tab: 'patients' } }

/** A page whose script has the page entry's exports. */
export const pageWith = (script: string) => `<!doctype html><meta charset=utf-8><script type="module">
import { connectHost, HostCallError } from '/page/index.ts'
${script}
</script>`

/** A site, a window that shows its first page, and a bridge to it. */
export interface BridgedPage extends AsyncDisposable {
  readonly site: TestSite
  readonly opened: TestWindow
  readonly bridge: Bridge
  /** Warnings of the bridge, in sentences. */
  readonly notices: readonly string[]
}

/** Serves a page, opens it and connects to it. */
export async function openBridgedPage(script: string, more: TestPages = {}): Promise<BridgedPage> {
  await using resources = new AsyncDisposableStack()
  const site = resources.use(await serveSite({ '/': pageWith(script), ...(await pageModules()), ...more }))
  const opened = resources.use(await openTestWindow({ url: `${site.origin}/`, pageScript: pageScript() }))
  const notices: string[] = []
  const bridge = resources.use(
    new Bridge(opened.window, { info, report: event => noteWarning(notices, event) }),
  )
  const owned = resources.move()
  return { site, opened, bridge, notices, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Opens one page after the other in one window. */
export class BridgedPages implements AsyncDisposable {
  readonly #owned = new AsyncDisposableStack()
  /** Pages of the present script. The site reads them at each request. */
  readonly #pages: Record<string, TestPage | string> = {}
  #site: TestSite | undefined
  #opened: TestWindow | undefined

  /** As {@link openBridgedPage}. The window stays open; a test may also close it. */
  async open(script: string, more: TestPages = {}): Promise<BridgedPage> {
    for (const path of Object.keys(this.#pages)) delete this.#pages[path]
    Object.assign(this.#pages, { '/idle': 'idle', '/': pageWith(script), ...(await pageModules()), ...more })
    this.#site ??= this.#owned.use(await serveSite(this.#pages))
    const site = this.#site
    const opened = await this.#openIdle(site)
    site.requests.clear()
    site.queries.length = 0
    const notices: string[] = []
    const bridge = new Bridge(opened.window, { info, report: event => noteWarning(notices, event) })
    // A test may end during the navigation.
    opened.window.navigate(`${site.origin}/`).catch(() => undefined)
    return { site, opened, bridge, notices, [Symbol.asyncDispose]: async () => bridge[Symbol.dispose]() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }

  /** A window whose page is not connected. */
  async #openIdle(site: TestSite): Promise<TestWindow> {
    const url = `${site.origin}/idle`
    if (this.#opened && (await this.#opened.window.windowState()) !== 'closed') {
      const loaded = nextEvent(this.#opened.window, 'loaded', event => event.url === url)
      await this.#opened.window.navigate(url)
      await loaded
      return this.#opened
    }
    this.#opened = this.#owned.use(await openTestWindow({ url, pageScript: pageScript() }))
    await nextEvent(this.#opened.window, 'loaded')
    return this.#opened
  }
}

function noteWarning(notices: string[], event: Parameters<ReportEvent>[0]): void {
  if (levelOf(event) === 'warn') notices.push(describeEvent(event))
}

/** Waits until the page reports a sign-in. */
export async function untilSignedIn(bridge: Bridge): Promise<void> {
  await nextState(bridge, ({ isSignedIn }) => isSignedIn)
}

/** The bridge's next matching state; rejects when none comes. */
export function nextState(
  bridge: Bridge,
  matches: (state: Bridge['state']) => boolean,
): Promise<Bridge['state']> {
  if (matches(bridge.state)) return Promise.resolve(bridge.state)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The state did not come.')), 20_000)
    const stop = bridge.on('stateChanged', state => {
      if (!matches(state)) return
      clearTimeout(timer)
      stop()
      resolve(state)
    })
  })
}
