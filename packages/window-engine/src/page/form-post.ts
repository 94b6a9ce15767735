import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type { CallOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { withoutFragment } from '../web-address.ts'
import { describeLoadFailure } from './load-failure.ts'
import type { PageLoads } from './page-loads.ts'

interface FormPost extends CallOptions {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

type Paused = DevToolsFacts<'Fetch.requestPaused'>

/** From this status on, an answer is a refusal. */
const refusedStatus = 400

/**
 * Goes to an address by POST. The browser begins an ordinary navigation; its request is held on the way out and becomes a POST
 * with the form. Service workers, history and pages do not see the form. The page stays until the first answer is known. Returns
 * the status of the first answer; from 400 on, the window keeps its page.
 */
export async function postForm(
  page: PageTarget,
  loads: PageLoads,
  { url, form, ...bounds }: FormPost,
): Promise<number> {
  const body = Buffer.from(new URLSearchParams(form).toString()).toString('base64')
  let requestId: string | undefined
  let status: number | undefined
  const stop = page.connection.onEvent(event => {
    if (event.name === 'Fetch.requestPaused' && event.sessionId === page.sessionId) letGo(event.facts)
  })
  try {
    // Without the first, the second has no effect.
    await page.call('Network.enable', { maxTotalBufferSize: 0 }, bounds)
    await page.call('Network.setBypassServiceWorker', { bypass: true }, bounds)
    const patterns = ['Request', 'Response'].map(requestStage => ({ resourceType: 'Document', requestStage }))
    await page.call('Fetch.enable', { patterns }, bounds)
    const errorText = await loads
      .goTo(url, bounds, () => requestId === undefined)
      .catch(error => {
        // The caller learns that the form was not sent, so it must not be sent later.
        if (status === undefined) page.tell('Page.stopLoading')
        throw error
      })
    if (status !== undefined) return status
    throw new EngineError(
      'navigation',
      errorText ? describeLoadFailure(errorText) : 'The address could not be posted to.',
    )
  } finally {
    stop()
    page.tell('Fetch.disable')
    page.tell('Network.setBypassServiceWorker', { bypass: false })
    page.tell('Network.disable')
  }

  function letGo(paused: Paused): void {
    const { responseStatusCode, responseErrorReason } = paused
    const isOther = paused.frameId !== page.targetId || !isOurs(paused) || responseErrorReason !== undefined
    if (!isOther && responseStatusCode !== undefined) noteAnswer(paused.requestId, responseStatusCode)
    else if (!isOther && requestId === undefined) send(paused)
    else proceed(paused.requestId)
  }

  function send(paused: Paused): void {
    requestId = paused.requestId
    const kept = Object.entries(paused.request.headers).filter(
      ([name]) => !/^content-(type|length)$/i.test(name),
    )
    const headers = [...kept, ['Content-Type', 'application/x-www-form-urlencoded']].map(
      ([name = '', value = '']) => ({ name, value }),
    )
    page.tell('Fetch.continueRequest', { requestId, method: 'POST', postData: body, headers })
  }

  /** Whether it is the first request for the address, or its answer. Redirects from there go on without us. */
  function isOurs(paused: Paused): boolean {
    if (requestId !== undefined) return paused.requestId === requestId
    return paused.redirectedRequestId === undefined && paused.request.url === withoutFragment(url)
  }

  function noteAnswer(id: string, code: number): void {
    status ??= code
    if (code < refusedStatus) proceed(id)
    else page.tell('Fetch.failRequest', { requestId: id, errorReason: 'Aborted' })
  }

  function proceed(id: string): void {
    page.tell('Fetch.continueRequest', { requestId: id })
  }
}
