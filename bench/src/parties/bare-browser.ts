import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { WindowBrowser } from '../measure/browser.ts'

interface BarePage extends AsyncDisposable {
  /** Evaluates an expression in the page, waits for its promise, and returns the value. */
  evaluate(expression: string): Promise<unknown>
}

/** Opens a page in a window, and calls it over the DevTools pipe with minimal work. */
export async function openBarePage(
  { executable, args, environment: env }: WindowBrowser,
  url: string,
  profile: string,
): Promise<BarePage> {
  const own = ['--remote-debugging-pipe', `--user-data-dir=${profile}`, '--no-first-run', `--app=${url}`]
  const child = spawn(executable, [...args, ...own], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const toBrowser = child.stdio[3] as Writable
  const fromBrowser = child.stdio[4] as Readable
  const waiting = new Map<number, (message: Answer) => void>()
  let unread = ''
  fromBrowser.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (unread + chunk).split('\0')
    unread = messages.pop() ?? ''
    for (const message of messages.map(text => JSON.parse(text))) waiting.get(message.id)?.(message)
  })
  let count = 0
  const call = (method: string, params: object, sessionId?: string) =>
    new Promise<Answer>(resolve => {
      waiting.set(++count, resolve)
      toBrowser.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`)
    })
  const findPage = async (): Promise<string> => {
    const { result } = await call('Target.getTargets', {})
    const page = result?.targetInfos?.find(({ type, url: at }) => type === 'page' && at.startsWith(url))
    return page?.targetId ?? findPage()
  }
  const attached = await call('Target.attachToTarget', { targetId: await findPage(), flatten: true })
  return {
    async evaluate(expression) {
      const params = { expression, awaitPromise: true, returnByValue: true }
      const { result } = await call('Runtime.evaluate', params, attached.result?.sessionId)
      return result?.result?.value
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}

/** What is read of the answers to the three calls. */
interface Answer {
  readonly result?: {
    readonly targetInfos?: readonly {
      readonly type: string
      readonly url: string
      readonly targetId: string
    }[]
    readonly sessionId?: string
    readonly result?: { readonly value?: unknown }
  }
}
