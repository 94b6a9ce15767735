import { Deadline } from '@service-link/protocol-core/time'
import { asEngineError, type DevToolsConnection, PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type { CallOptions, FetchedText, FetchTextOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { downStatuses } from '../page/host-world.ts'
import { describeLoadFailure } from '../page/load-failure.ts'
import { checkWebAddress, isWebAddress } from '../web-address.ts'
import type { UserAgent } from './extra-pages.ts'

interface HiddenPagesOptions {
  readonly connection: DevToolsConnection
  readonly userAgent: UserAgent
}

interface Question extends CallOptions {
  /** Lets the page ask. */
  begin(page: PageTarget, bounds: CallOptions): Promise<unknown>
}

type Answer = DevToolsFacts<'Fetch.requestPaused'>

/**
 * Asks web servers through the browser's own network, with its proxies and certificates. Each question has a hidden page, which
 * begins to load an address and closes when the beginning of the answer is read.
 */
export class HiddenPages {
  readonly #options: HiddenPagesOptions
  /** A browser may report a page before it answers the call that opens it. */
  readonly #openings = new Set<Promise<{ readonly targetId: string }>>()

  constructor(options: HiddenPagesOptions) {
    this.#options = options
  }

  /** Whether a page is one of these. */
  async owns(targetId: string): Promise<boolean> {
    const pages = await Promise.allSettled(this.#openings)
    return pages.some(page => page.status === 'fulfilled' && page.value.targetId === targetId)
  }

  /** Whether a server answers, with another status than those of a proxy whose service is down. Never rejects. */
  async canReach(url: string, bounds: CallOptions): Promise<boolean> {
    if (!isWebAddress(url)) return false
    const begin: Question['begin'] = (page, limits) => page.call('Page.navigate', { url }, limits)
    const answer = this.#ask({ ...bounds, begin }, async ({ responseStatusCode }) => responseStatusCode)
    const status = await answer.catch(() => undefined)
    return status !== undefined && !downStatuses.includes(status)
  }

  /**
   * Gets the beginning of a text. A frame without credentials asks: it neither sends nor takes cookies of the session.
   *
   * @throws {EngineError} `navigation`, `timeout`
   */
  async fetchText(url: string, { maxBytes, ...bounds }: FetchTextOptions): Promise<FetchedText> {
    checkWebAddress(url)
    const begin: Question['begin'] = (page, limits) =>
      page.call('Runtime.evaluate', { expression: askInFrame(url) }, limits)
    return asEngineError(
      this.#ask({ ...bounds, begin }, async (answer, page, limits) => {
        const { responseStatusCode: status = 0, responseHeaders = [] } = answer
        const location = responseHeaders.find(({ name }) => name.toLowerCase() === 'location')?.value
        const text = status === 200 ? await readBeginning(page, answer.requestId, maxBytes, limits) : ''
        return { status, location, text }
      }),
    )
  }

  /** Asks a server and reads its first answer, also a redirect. */
  async #ask<Value>(
    { begin, timeoutMs, signal: givenUp }: Question,
    read: (answer: Answer, page: PageTarget, bounds: CallOptions) => Promise<Value>,
  ): Promise<Value> {
    const { connection, userAgent } = this.#options
    using limit = new Deadline(timeoutMs, givenUp).limit(() => new EngineError('timeout', tooSlow))
    const { signal } = limit
    const bounds = { timeoutMs, signal }
    const opening = connection.call('Target.createTarget', { url: 'about:blank', hidden: true }, bounds)
    this.#openings.add(opening)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    promise.catch(() => undefined)
    let stop: (() => void) | undefined
    try {
      const { targetId } = await opening
      const target = { targetId, flatten: true }
      const { sessionId } = await connection.call('Target.attachToTarget', target, bounds)
      const page = new PageTarget(connection, targetId, sessionId)
      stop = connection.onEvent(event => {
        if (event.sessionId !== sessionId) return
        // A failure is reported with its name, also where a policy blocks the address.
        if (event.name === 'Network.loadingFailed')
          reject(new EngineError('navigation', describeLoadFailure(event.facts.errorText)))
        if (event.name !== 'Fetch.requestPaused') return
        const { requestId, responseErrorReason } = event.facts
        if (responseErrorReason === undefined) resolve(event.facts)
        else page.tell('Fetch.continueRequest', { requestId })
      })
      await page.call('Network.enable', { maxTotalBufferSize: 0 }, bounds)
      await page.call('Emulation.setUserAgentOverride', userAgent, bounds)
      await page.call('Fetch.enable', { patterns: [{ requestStage: 'Response' }] }, bounds)
      // A navigation is answered when its document comes, or never.
      begin(page, bounds).catch(reject)
      return await read(await promise, page, bounds)
    } finally {
      stop?.()
      signal.removeEventListener('abort', abort)
      opening
        .then(({ targetId }) => connection.call('Target.closeTarget', { targetId }))
        .catch(() => undefined)
        .finally(() => this.#openings.delete(opening))
    }
  }
}

const tooSlow = 'The address did not answer in time.'

const askInFrame = (url: string) => `{
  const frame = document.createElement('iframe')
  frame.credentialless = true
  frame.src = ${JSON.stringify(url)}
  document.documentElement.append(frame)
}`

async function readBeginning(
  page: PageTarget,
  requestId: string,
  maxBytes: number,
  bounds: CallOptions,
): Promise<string> {
  const { stream: handle } = await page.call('Fetch.takeResponseBodyAsStream', { requestId }, bounds)
  let bytes = Buffer.alloc(0)
  for (let isRead = false; !isRead && bytes.length < maxBytes; ) {
    const size = maxBytes - bytes.length
    const { data, base64Encoded, eof } = await page.call('IO.read', { handle, size }, bounds)
    bytes = Buffer.concat([bytes, Buffer.from(data, base64Encoded ? 'base64' : 'utf8')])
    isRead = eof
  }
  return bytes.subarray(0, maxBytes).toString('utf8')
}
