import { setTimeout as delay } from 'node:timers/promises'
import { DevToolsCallError, type PageTarget } from '../devtools/devtools-connection.ts'
import type { WindowLook } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { startContent } from '../page/own-content.ts'
import { PageLoads } from '../page/page-loads.ts'
import type { PolicySign } from '../platform/policies.ts'

/** Longest look, in milliseconds. Without a result the browser counts as permitted. */
const lookMs = 2000

const blocked = 'net::ERR_BLOCKED_BY_ADMINISTRATOR'

/** Policies about scripts and cookies hold for each document of an address, wherever it came from. */
const lookAtDocument = `[
  matchMedia('(scripting: none)').matches,
  (() => { try { return Boolean(localStorage) } catch { return false } })(),
].join()`

interface TryPageOptions {
  /** Address of the web app. */
  readonly url: string
  /** Address with which the browser was started. */
  readonly start: string
  readonly look?: WindowLook | undefined
}

/**
 * Finds out whether the browser shows the web app: it goes to the address with the start page in place of the server's document. No
 * request leaves the machine. Policies may come from anywhere, and only the browser knows those in force.
 *
 * @returns how a policy shows; `undefined` if none does
 */
export async function tryPage(page: PageTarget, options: TryPageOptions): Promise<PolicySign | undefined> {
  const { connection, sessionId } = page
  const stop = connection.onEvent(event => {
    if (event.name !== 'Fetch.requestPaused' || event.sessionId !== sessionId) return
    page.tell('Fetch.fulfillRequest', {
      requestId: event.facts.requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }],
      body: Buffer.from(startContent(options.look)).toString('base64'),
    })
  })
  const looked = new AbortController()
  const { signal } = looked
  const tooLong = delay(lookMs, undefined, { signal, ref: false }).catch(() => undefined)
  try {
    return await Promise.race([lookAtPage(page, options, signal), tooLong])
  } finally {
    looked.abort()
    stop()
    page.tell('Fetch.disable')
  }
}

async function lookAtPage(
  page: PageTarget,
  { url, start }: TryPageOptions,
  signal: AbortSignal,
): Promise<PolicySign | undefined> {
  const bounds = { timeoutMs: lookMs, signal }
  try {
    await Promise.all([
      page.call('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }, bounds),
      page.call('Page.enable', {}, bounds),
    ])
    const loads = new PageLoads(page, { address: start, loaderId: undefined }, url, () => undefined)
    const going = loads.goTo(url, bounds)
    page.tell('Runtime.runIfWaitingForDebugger')
    const errorText = await going
    if (errorText !== undefined) return errorText === blocked ? 'no-address' : undefined
    const { result } = await page.call('Runtime.evaluate', { expression: lookAtDocument }, bounds)
    if (result.value === 'true,true') return 'no-scripts'
    return result.value === 'false,false' ? 'no-cookies' : undefined
  } catch (error) {
    // The opening itself comes across it again, and reports it.
    if (error instanceof DevToolsCallError || error instanceof EngineError || signal.aborted) return undefined
    throw error
  }
}
