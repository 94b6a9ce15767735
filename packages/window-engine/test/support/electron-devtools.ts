import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { findBrowser } from '../../src/chromium/create-chromium-engine.ts'
import { windowPlatform } from '../../src/platform/current-platform.ts'

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface DomNode {
  readonly nodeId: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly children?: readonly DomNode[]
  readonly shadowRoots?: readonly DomNode[]
}

/** Longest wait for a button, in milliseconds. */
const pressMs = 60_000

function findButton(node: DomNode, label: string): DomNode | undefined {
  if (node.nodeName === 'BUTTON' && node.children?.some(({ nodeValue }) => nodeValue === label)) return node
  for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) {
    const found = findButton(child, label)
    if (found) return found
  }
  return undefined
}

/** A Chromium without windows, which needs half the processor time. The stand-in uses it where it is installed. */
const headlessShell = '/usr/bin/chromium-headless-shell'

/** A headless browser and its first page by the plain protocol, unchecked and complete. */
export class PageOfBrowser {
  /** Emits the page's events: `event` with method and params. */
  readonly events = new EventEmitter()
  readonly ended: Promise<unknown>
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #lastId = 0
  #sessionId: string | undefined
  /** A second session, between page and network. */
  #guardId: string | undefined
  readonly #guardEvents = new EventEmitter()

  private constructor(child: ChildProcess) {
    this.#child = child
    this.ended = once(child, 'exit')
    let rest = ''
    const output = child.stdio[4] as Readable
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const texts = (rest + chunk).split('\0')
      rest = texts.pop() ?? ''
      for (const text of texts) this.#receive(JSON.parse(text))
    })
    output.on('error', () => undefined)
    child.stdio[3]?.on('error', () => undefined)
    void this.ended.then(() => {
      for (const settle of this.#waiting.values()) settle({ error: { message: 'The browser has ended.' } })
    })
  }

  static async start(profileFolder: string): Promise<PageOfBrowser> {
    const platform = windowPlatform()
    const found = await findBrowser({ platform, environment: process.env })
    if ('reason' in found) throw new Error(found.reason)
    const args = [
      '--headless=new',
      '--remote-debugging-pipe',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${profileFolder}`,
      ...(platform.isPrivileged() ? ['--no-sandbox'] : []),
      'about:blank',
    ]
    const executable = existsSync(headlessShell) ? headlessShell : found.executable
    const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
    const page = new PageOfBrowser(child)
    await page.#attach()
    return page
  }

  /** Calls the page. */
  call(method: string, params: object = {}): Promise<unknown> {
    return this.#send(method, params, this.#sessionId)
  }

  /** Calls the browser. */
  callBrowser(method: string, params: object = {}): Promise<unknown> {
    return this.#send(method, params, undefined)
  }

  /** Clicks the button with a label once it exists, anywhere in the document. */
  async press(label: string): Promise<void> {
    const until = performance.now() + pressMs
    for (;;) {
      try {
        const { root } = (await this.call('DOM.getDocument', { depth: -1, pierce: true })) as {
          root: DomNode
        }
        const { model } = (await this.call('DOM.getBoxModel', {
          nodeId: findButton(root, label)?.nodeId ?? 0,
        })) as { model: { content: [number, number, number, number, number, number, number, number] } }
        const [left, top, , , right, bottom] = model.content
        const place = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
        for (const type of ['mousePressed', 'mouseReleased'])
          await this.call('Input.dispatchMouseEvent', { type, ...place })
        return
      } catch (error) {
        if (performance.now() > until) throw error
        await delay(50)
      }
    }
  }

  /** Asks before each navigation that the page starts. */
  async guardNavigation(mayGo: (url: string) => boolean): Promise<void> {
    this.#guardId = await this.#attachOnce()
    let requestedUrl: string | undefined
    const answer = (method: string, params: object) =>
      void this.#send(method, params, this.#guardId).catch(() => undefined)
    this.#guardEvents.on('Page.frameRequestedNavigation', ({ url, disposition }) => {
      if (disposition === 'currentTab') requestedUrl = url
    })
    this.#guardEvents.on('Fetch.requestPaused', ({ requestId, request }) => {
      const isRequested = request.url === requestedUrl
      requestedUrl = undefined
      if (isRequested && !mayGo(request.url))
        answer('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      else answer('Fetch.continueRequest', { requestId })
    })
    await this.#send('Page.enable', {}, this.#guardId)
    await this.#send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }, this.#guardId)
  }

  /** Ends the browser; resolves when it is gone. */
  async end(): Promise<void> {
    this.callBrowser('Browser.close').catch(() => undefined)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
    await this.ended
    clearTimeout(timer)
  }

  async #attach(): Promise<void> {
    this.#sessionId = await this.#attachOnce()
  }

  async #attachOnce(): Promise<string> {
    for (;;) {
      const { targetInfos } = (await this.callBrowser('Target.getTargets')) as {
        targetInfos: { type: string; targetId: string }[]
      }
      const target = targetInfos.find(({ type }) => type === 'page')
      if (!target) continue
      const { sessionId } = (await this.callBrowser('Target.attachToTarget', {
        targetId: target.targetId,
        flatten: true,
      })) as { sessionId: string }
      return sessionId
    }
  }

  #send(method: string, params: object, sessionId: string | undefined): Promise<unknown> {
    if (this.#child.exitCode !== null) return Promise.reject(new Error('The browser has ended.'))
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        this.#waiting.delete(id)
        if (error) reject(new Error(error.message))
        else resolve(result)
      })
      const input = this.#child.stdio[3] as Writable
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  }

  #receive(message: Reply & { id?: number; method?: string; params?: unknown; sessionId?: string }): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
    else if (message.sessionId === this.#guardId && message.method)
      this.#guardEvents.emit(message.method, message.params)
    else if (message.sessionId === this.#sessionId) this.events.emit('event', message.method, message.params)
  }
}
