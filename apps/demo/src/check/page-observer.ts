import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { within } from '../demo/within.ts'
import { eventually } from './expect.ts'

/** Longest wait for one answer of the browser, in milliseconds. */
const answerTimeoutMs = 30_000

const targetsSchema = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string().optional() }))
const pointSchema = z.tuple([z.number(), z.number()])
const answerSchema = z.object({
  id: z.number().optional(),
  result: z
    .object({
      result: z.object({ value: z.unknown().optional() }).optional(),
      exceptionDetails: z.object({ text: z.string() }).optional(),
      data: z.string().optional(),
    })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
})

/**
 * Looks into the page of a browser that listens for developer tools, and types into it as a person would. It asks and
 * changes nothing else: the wrapper drives its window alone.
 */
export class PageObserver implements Disposable {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<z.output<typeof answerSchema>>>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const answer = answerSchema.parse(JSON.parse(String(data)))
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.resolve(answer)
    })
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The page is gone.'))
    })
  }

  /** Connects to the only page of the browser that listens at this port. */
  static async connect(port: number): Promise<PageObserver> {
    const url = await eventually('The page', async () => {
      const signal = AbortSignal.timeout(answerTimeoutMs)
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal }).catch(() => undefined)
      if (!answer?.ok) return undefined
      return targetsSchema.parse(await answer.json()).find(({ type }) => type === 'page')
        ?.webSocketDebuggerUrl
    })
    const socket = new WebSocket(url)
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('The page cannot be observed.')), { once: true })
    try {
      await within('The connection to the page', answerTimeoutMs, opened)
    } catch (error) {
      socket.close()
      throw error
    }
    return new PageObserver(socket)
  }

  /** Value of an expression in the page, awaited when it is a promise; `undefined` while the page has none. */
  async read(expression: string): Promise<unknown> {
    const question = { expression, returnByValue: true, awaitPromise: true }
    const { result, error } = await this.#call('Runtime.evaluate', question)
    if (error || result?.exceptionDetails) return undefined
    return result?.result?.value ?? undefined
  }

  /** Text of the element with this test id, with white space folded; `undefined` while there is none. */
  async text(testId: string): Promise<string | undefined> {
    const text = await this.read(`document.querySelector('[data-testid="${testId}"]')?.innerText`)
    return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : undefined
  }

  /** Attribute of the element with this test id. */
  async attribute(testId: string, name: string): Promise<string | undefined> {
    const value = await this.read(
      `document.querySelector('[data-testid="${testId}"]')?.getAttribute('${name}')`,
    )
    return typeof value === 'string' ? value : undefined
  }

  /** Waits until the element with this test id has this value in this attribute. */
  async waitForAttribute(testId: string, name: string, value: string): Promise<void> {
    await eventually(`[${testId}] with ${name}="${value}"`, async () =>
      (await this.attribute(testId, name)) === value ? true : undefined,
    )
  }

  /** Types into the input that a selector names, once it is there. */
  async type(selector: string, text: string): Promise<void> {
    const focus = `(element => { element?.focus(); return element === document.activeElement && !!element })(document.querySelector(${JSON.stringify(selector)}))`
    await eventually(`An input ${selector}`, async () =>
      (await this.read(focus)) === true ? true : undefined,
    )
    await this.#call('Input.insertText', { text })
  }

  /** Clicks the first element that a selector names, once it stands still with nothing before it. */
  async click(selector: string): Promise<void> {
    const middle = `(element => { if (!element) return undefined; element.scrollIntoView({ block: 'center' }); const { x, y, width, height } = element.getBoundingClientRect(); const point = [x + width / 2, y + height / 2]; return element.contains(document.elementFromPoint(...point)) ? point : undefined })(document.querySelector(${JSON.stringify(selector)}))`
    let last: unknown
    const [x, y] = await eventually(`An element ${selector}`, async () => {
      const before = last
      last = await this.read(middle)
      return isDeepStrictEqual(last, before) ? pointSchema.safeParse(last).data : undefined
    })
    const press = { x, y, button: 'left', clickCount: 1 }
    await this.#call('Input.dispatchMouseEvent', { type: 'mousePressed', ...press })
    await this.#call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press })
  }

  /** Presses the Enter key. */
  async pressEnter(): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
    await this.#call('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
    await this.#call('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  async #call(method: string, params: object): Promise<z.output<typeof answerSchema>> {
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<z.output<typeof answerSchema>>()
    this.#waiting.set(id, waiting)
    try {
      this.#socket.send(JSON.stringify({ id, method, params }))
      return await within(`The page’s answer to ${method}`, answerTimeoutMs, waiting.promise)
    } finally {
      this.#waiting.delete(id)
    }
  }
}
