import { DevToolsCallError, type PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { CallOptions, JsonValue } from '../engine.ts'
import { EngineError, PageCallError, type PageCallFault } from '../engine-error.ts'

/** The document that the window shows. */
interface PageDocument {
  readonly origin: string
  /** Names its global object for calls; never used again by another document. */
  readonly uniqueContextId: string
  /** Aborted, with a {@link PageCallError}, when the document goes away. */
  readonly signal: AbortSignal
}

/**
 * Knows the document in the main frame of one page from the browser's events. Frames inside it and the worlds of
 * extensions do not count.
 */
export class PageDocuments {
  readonly #mainFrameId: string
  #current: (PageDocument & { readonly contextId: number; readonly controller: AbortController }) | undefined

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId
  }

  get current(): PageDocument | undefined {
    return this.#current
  }

  /** The current document, if its global object has this number. */
  find(contextId: number): PageDocument | undefined {
    return this.#current?.contextId === contextId ? this.#current : undefined
  }

  /** Takes an event of the page. Returns whether a document went away with it. */
  apply(event: DevToolsEvent): boolean {
    if (event.name === 'Runtime.executionContextsCleared') return this.end('navigated')
    if (event.name === 'Runtime.executionContextDestroyed')
      return event.facts.executionContextId === this.#current?.contextId && this.end('navigated')
    if (event.name !== 'Runtime.executionContextCreated') return false
    const { id, uniqueId, origin, auxData } = event.facts.context
    if (!auxData.isDefault || auxData.frameId !== this.#mainFrameId) return false
    const hasEnded = this.end('navigated')
    const controller = new AbortController()
    const { signal } = controller
    this.#current = { origin, uniqueContextId: uniqueId, contextId: id, controller, signal }
    return hasEnded
  }

  /** Ends the document, if there is one; calls into it are rejected. Returns whether there was one. */
  end(fault: PageCallFault): boolean {
    const ended = this.#current
    this.#current = undefined
    ended?.controller.abort(new PageCallError(fault))
    return ended !== undefined
  }
}

/** Longest answer of a page, in UTF-16 code units. */
const maxAnswerLength = 16 * 1024 * 1024

/**
 * Function that runs in the page for each call. It returns `=` and the JSON of the result, or a fault, so that no error text
 * of the page gets to the host.
 */
const callFunction = `async function (value, maxLength) {
  const receive = globalThis.__wrapperHost?.receive
  if (typeof receive !== 'function') return 'no-listener'
  try {
    const text = JSON.stringify(await receive(value))
    if (text === undefined) return ''
    return text.length > maxLength ? 'too-large' : '=' + text
  } catch {
    return 'rejected'
  }
}`

/**
 * Calls the page script's `receive` in one document, never in its successor. While a navigation waits for its server, the browser
 * holds calls back.
 */
export async function callPage(
  page: PageTarget,
  document: PageDocument,
  value: JsonValue,
  { timeoutMs, signal }: CallOptions,
): Promise<unknown> {
  const signals = signal ? AbortSignal.any([signal, document.signal]) : document.signal
  try {
    const { result, exceptionDetails } = await page.call(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: callFunction,
        uniqueContextId: document.uniqueContextId,
        arguments: [{ value }, { value: maxAnswerLength }],
        awaitPromise: true,
        returnByValue: true,
      },
      { timeoutMs, signal: signals },
    )
    if (exceptionDetails || typeof result.value !== 'string') throw new PageCallError('rejected')
    return readAnswer(result.value)
  } catch (error) {
    signal?.throwIfAborted()
    document.signal.throwIfAborted()
    throw error instanceof DevToolsCallError ? new PageCallError('navigated') : asPageCallError(error)
  }
}

function readAnswer(text: string): unknown {
  if (text === '') return undefined
  if (text.startsWith('=')) return JSON.parse(text.slice(1))
  throw new PageCallError(text === 'no-listener' || text === 'too-large' ? text : 'rejected')
}

function asPageCallError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  return new PageCallError(error.fault === 'timeout' ? 'timeout' : 'closed')
}

/** Waits until the page's thread answers. */
export async function pingPage(page: PageTarget, options: CallOptions): Promise<void> {
  try {
    await page.call('Runtime.evaluate', { expression: '0' }, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    // The document has gone away or has no script: that is an answer, too.
    if (!(error instanceof DevToolsCallError)) throw asPageCallError(error)
  }
}
