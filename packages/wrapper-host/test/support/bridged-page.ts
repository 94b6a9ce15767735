import { describeEvent, levelOf } from '../../src/log/events.ts'
import { Bridge, pageScript } from '../../src/web-app/bridge.ts'
import { openTestWindow, type TestWindow } from '../_window-browser.ts'
import { pageModules } from './page-module.ts'
import { serveSite, type TestPages, type TestSite } from './window-site.ts'

export const info = { version: '3.0.0.0', distributorName: 'Acme' }

/** A page with a script that has the page entry's exports at hand. */
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
    new Bridge(opened.window, {
      info,
      report: event => void (levelOf(event) === 'warn' && notices.push(describeEvent(event))),
    }),
  )
  const owned = resources.move()
  return { site, opened, bridge, notices, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Waits until the page says that somebody is signed in. */
export async function untilSignedIn(bridge: Bridge): Promise<void> {
  await nextState(bridge, ({ isSignedIn }) => isSignedIn)
}

/** The bridge's next state that matches; rejects when it does not come. */
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
