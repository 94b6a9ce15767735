import { isDeepStrictEqual } from 'node:util'
import type { DemoAccount } from '@service-link/service'
import * as z from 'zod'
import { eventually, within } from '../demo/waits.ts'

const answerTimeoutMs = 30_000

/** A node of the document with its descendants, including closed shadow trees. */
interface PageNode {
  readonly backendNodeId: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly children?: readonly PageNode[] | undefined
  readonly shadowRoots?: readonly PageNode[] | undefined
}

const nodeSchema: z.ZodType<PageNode> = z.object({
  backendNodeId: z.number(),
  nodeName: z.string(),
  nodeValue: z.string(),
  get children() {
    return z.array(nodeSchema).optional()
  },
  get shadowRoots() {
    return z.array(nodeSchema).optional()
  },
})
const targetsSchema = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string().optional() }))
const pointSchema = z.tuple([z.number(), z.number()])
const quadSchema = z.object({ model: z.object({ content: z.array(z.number()).length(8) }) })
const cookiesSchema = z.object({ cookies: z.array(z.object({ name: z.string() })) })
const documentSchema = z.object({ root: nodeSchema })
const answerSchema = z.object({
  id: z.number().optional(),
  result: z
    .looseObject({
      result: z.object({ value: z.unknown().optional() }).optional(),
      exceptionDetails: z.object({ text: z.string() }).optional(),
    })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
})

/**
 * Reads the page of a browser over its developer-tools port, and types and clicks as a user does. Everything else is
 * left to the wrapper.
 */
export class PageObserver implements Disposable {
  readonly #findPort: () => Promise<number>
  #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<z.output<typeof answerSchema>>>()
  #lastId = 0

  private constructor(findPort: () => Promise<number>, socket: WebSocket) {
    this.#findPort = findPort
    this.#socket = socket
    this.#hear(socket)
  }

  static async connect(findPort: () => Promise<number>): Promise<PageObserver> {
    return new PageObserver(findPort, await openSocket(findPort))
  }

  /** Waits for the end of the browser, and observes the page of the next one. */
  async followNextBrowser(): Promise<void> {
    const former = this.#socket
    if (former.readyState !== WebSocket.CLOSED) {
      const ended = new Promise(resolve => former.addEventListener('close', resolve, { once: true }))
      await within('The end of the browser', answerTimeoutMs, ended)
    }
    this.#socket = await openSocket(this.#findPort)
    this.#hear(this.#socket)
  }

  #hear(socket: WebSocket): void {
    socket.addEventListener('message', ({ data }) => {
      const answer = answerSchema.parse(JSON.parse(String(data)))
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.resolve(answer)
    })
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The page is gone.'))
    })
  }

  /** Value of an expression in the page; promises are awaited. `undefined` if the page throws or has no value. */
  async read(expression: string): Promise<unknown> {
    const question = { expression, returnByValue: true, awaitPromise: true }
    const { result, error } = await this.#call('Runtime.evaluate', question)
    if (error || result?.exceptionDetails) return undefined
    return result?.result?.value ?? undefined
  }

  /** Text of the element with this test id, with white space folded; `undefined` if there is no such element. */
  async text(testId: string): Promise<string | undefined> {
    const text = await this.read(`document.querySelector('[data-testid="${testId}"]')?.innerText`)
    return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : undefined
  }

  async attribute(testId: string, name: string): Promise<string | undefined> {
    const value = await this.read(
      `document.querySelector('[data-testid="${testId}"]')?.getAttribute('${name}')`,
    )
    return typeof value === 'string' ? value : undefined
  }

  async waitForAttribute(testId: string, name: string, value: string): Promise<void> {
    await eventually(
      `[${testId}] with ${name}="${value}"`,
      async () => (await this.attribute(testId, name)) === value,
    )
  }

  async type(selector: string, text: string): Promise<void> {
    const focus = `(element => { element?.focus(); return element === document.activeElement && !!element })(document.querySelector(${JSON.stringify(selector)}))`
    await eventually(`An input ${selector}`, async () => (await this.read(focus)) === true)
    await this.#call('Input.insertText', { text })
  }

  /** Clicks the first element with this selector as soon as it stands still and nothing covers it. */
  async click(selector: string): Promise<void> {
    const middle = `(element => { if (!element) return undefined; element.scrollIntoView({ block: 'center' }); const { x, y, width, height } = element.getBoundingClientRect(); const point = [x + width / 2, y + height / 2]; return element.contains(document.elementFromPoint(...point)) ? point : undefined })(document.querySelector(${JSON.stringify(selector)}))`
    let last: unknown
    const [x, y] = await eventually(`An element ${selector}`, async () => {
      const before = last
      last = await this.read(middle)
      return isDeepStrictEqual(last, before) ? pointSchema.safeParse(last).data : undefined
    })
    await this.#press(x, y)
  }

  /** All text of the page and of the wrapper's closed shadow tree above it. */
  async allText(): Promise<string> {
    return allNodes(await this.#document())
      .map(({ nodeValue }) => nodeValue)
      .join(' ')
  }

  /** Clicks the button with this label, in the page or in the wrapper's shadow tree above it. */
  async clickButton(label: string): Promise<void> {
    const [x, y] = await eventually(`A button “${label}”`, async () => {
      const button = allNodes(await this.#document()).find(
        ({ nodeName, children = [] }) =>
          nodeName === 'BUTTON' && children.some(({ nodeValue }) => nodeValue === label),
      )
      if (!button) return undefined
      const { result } = await this.#call('DOM.getBoxModel', { backendNodeId: button.backendNodeId })
      const [left = 0, top = 0, , , right = 0, bottom = 0] =
        quadSchema.safeParse(result).data?.model.content ?? []
      return right > left ? ([(left + right) / 2, (top + bottom) / 2] as const) : undefined
    })
    await this.#press(x, y)
  }

  async cookieNames(): Promise<readonly string[]> {
    const { result } = await this.#call('Network.getCookies', {})
    return cookiesSchema.parse(result).cookies.map(({ name }) => name)
  }

  /** Moves the mouse to the corner, removes the caret, and waits until fonts are settled. */
  async settle(): Promise<void> {
    const corner = await this.read('[innerWidth - 4, innerHeight - 4]')
    const [x, y] = pointSchema.parse(corner)
    await this.#call('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
    await this.read('document.activeElement?.blur()')
    await this.read(
      `document.fonts.ready.then(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))))`,
    )
  }

  async reload(): Promise<void> {
    await this.#call('Page.reload', {})
  }

  async pressEnter(): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
    await this.#call('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
    await this.#call('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  async #press(x: number, y: number): Promise<void> {
    const press = { x, y, button: 'left', clickCount: 1 }
    await this.#call('Input.dispatchMouseEvent', { type: 'mousePressed', ...press })
    await this.#call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press })
  }

  async #document(): Promise<PageNode> {
    const { result } = await this.#call('DOM.getDocument', { depth: -1, pierce: true })
    return documentSchema.parse(result).root
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

function allNodes(node: PageNode): readonly PageNode[] {
  return [node, ...[...(node.shadowRoots ?? []), ...(node.children ?? [])].flatMap(allNodes)]
}

export async function logIn(page: PageObserver, { email, password }: DemoAccount): Promise<void> {
  await page.type('[data-testid="login-form"] input[name="email"]', email)
  await page.type('[data-testid="login-form"] input[name="password"]', password)
  await page.pressEnter()
  await eventually('A signed-in employee', () => page.text('signed-in-as'))
}

async function openSocket(findPort: () => Promise<number>): Promise<WebSocket> {
  const url = await eventually('The page', async () => {
    // The former browser's port may still be there.
    const port = await findPort()
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal }).catch(() => undefined)
    if (!answer?.ok) return undefined
    return targetsSchema.parse(await answer.json()).find(({ type }) => type === 'page')?.webSocketDebuggerUrl
  })
  const socket = new WebSocket(url)
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve(), { once: true })
  socket.addEventListener('error', () => reject(new Error('The page cannot be observed.')), { once: true })
  try {
    await within('The connection to the page', answerTimeoutMs, opened)
    return socket
  } catch (error) {
    socket.close()
    throw error
  }
}
