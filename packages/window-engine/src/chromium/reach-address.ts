import type { DevToolsConnection } from '../devtools/devtools-connection.ts'
import { PageTarget } from '../devtools/page-target.ts'
import type { CallOptions } from '../engine.ts'
import { downStatuses } from '../page/host-world.ts'
import type { UserAgent } from '../page/prepare-page.ts'

/**
 * Whether a server answers at an address: with any status but those of a proxy whose service is down. A page that nobody sees
 * begins to go there, and is closed as soon as the answer begins; so it is the browser's own network that is asked, with its
 * proxies and certificates, and not the page that is shown. Never rejects.
 */
export async function canReachAddress(
  connection: DevToolsConnection,
  url: string,
  userAgent: UserAgent,
  { timeoutMs, signal }: CallOptions,
): Promise<boolean> {
  if (!/^https?:\/\//i.test(url)) return false
  const bounds = { timeoutMs, ...(signal ? { signal } : {}) }
  const opening = connection.call('Target.createTarget', { url: 'about:blank', hidden: true }, bounds)
  let status: number | undefined
  const stops: (() => void)[] = []
  try {
    const { targetId } = await opening
    const { sessionId } = await connection.call('Target.attachToTarget', { targetId, flatten: true }, bounds)
    const page = new PageTarget(connection, targetId, sessionId)
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    stops.push(
      connection.onEvent(event => {
        if (event.name !== 'Fetch.requestPaused' || event.sessionId !== sessionId) return
        status = event.facts.responseStatusCode
        page.tell('Fetch.failRequest', { requestId: event.facts.requestId, errorReason: 'Aborted' })
        resolve()
      }),
    )
    await page.call('Emulation.setUserAgentOverride', userAgent, bounds)
    await page.call('Fetch.enable', { patterns: [{ requestStage: 'Response' }] }, bounds)
    await Promise.race([answered, page.call('Page.navigate', { url }, bounds)])
  } catch {
    // It took too long, was given up, or the browser has ended.
  } finally {
    for (const stop of stops) stop()
    void opening.then(
      ({ targetId }) => connection.call('Target.closeTarget', { targetId }).catch(() => undefined),
      () => undefined,
    )
  }
  return status !== undefined && !downStatuses.includes(status)
}
