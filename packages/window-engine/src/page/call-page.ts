import { DevToolsCallError } from '../devtools/devtools-connection.ts'
import type { PageTarget } from '../devtools/page-target.ts'
import type { CallOptions, JsonValue } from '../engine.ts'
import { EngineError, PageCallError } from '../engine-error.ts'
import type { PageDocument } from './page-documents.ts'

/** Longest answer of a page, in UTF-16 code units. */
const maxAnswerLength = 16 * 1024 * 1024

/**
 * Function that runs in the page for each call. Answers with one text, `=` before the JSON of the result or else the
 * fault, so that nothing the page throws is carried over.
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

/** Where {@link callPage} calls. */
export interface CallPageTarget {
  readonly page: PageTarget
  /** The one document that is called, and never another that takes its place meanwhile. */
  readonly document: PageDocument
}

/**
 * Calls the page script's `receive` in one document. While a navigation waits for its server, the browser holds calls back.
 *
 * @throws {PageCallError} as {@link EngineWindow.call} says
 */
export async function callPage(
  { page, document }: CallPageTarget,
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
    throw describeFailure(error, document.signal)
  }
}

function readAnswer(text: string): unknown {
  if (text === '') return undefined
  if (text.startsWith('=')) return JSON.parse(text.slice(1))
  throw new PageCallError(text === 'no-listener' || text === 'too-large' ? text : 'rejected')
}

function describeFailure(error: unknown, documentSignal: AbortSignal): unknown {
  if (documentSignal.aborted) return documentSignal.reason
  if (error instanceof DevToolsCallError) return new PageCallError('navigated')
  if (error instanceof EngineError) return new PageCallError(error.fault === 'timeout' ? 'timeout' : 'closed')
  return error
}

/**
 * Waits until the page's thread answers.
 *
 * @throws {PageCallError} `timeout`, `crashed`, `closed`
 */
export async function pingPage(page: PageTarget, { timeoutMs, signal }: CallOptions): Promise<void> {
  const bounds = { timeoutMs, ...(signal ? { signal } : {}) }
  try {
    await page.call('Runtime.evaluate', { expression: '0' }, bounds)
  } catch (error) {
    signal?.throwIfAborted()
    // The document went away meanwhile, or has no script: an answer, too.
    if (error instanceof DevToolsCallError) return
    if (error instanceof EngineError)
      throw new PageCallError(error.fault === 'timeout' ? 'timeout' : 'closed')
    throw error
  }
}
