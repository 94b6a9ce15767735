import { setTimeout as delay } from 'node:timers/promises'
import type { WindowState } from '../engine.ts'
import type { DevToolsConnection } from './devtools-connection.ts'

/** Longest wait for the desktop's window manager to follow, in milliseconds; one that does not is no error. */
const followMs = 1000
const lookAgainMs = 15

/** What {@link WindowBounds} moves. */
export interface WindowBoundsOptions {
  readonly connection: DevToolsConnection
  readonly targetId: string
  readonly sessionId: string
  /** Without a window to be seen the browser keeps its state all the same. */
  readonly isHeadless: boolean
}

/** Minimises, restores and raises one browser window. */
export class WindowBounds {
  readonly #options: WindowBoundsOptions

  constructor(options: WindowBoundsOptions) {
    this.#options = options
  }

  async state(): Promise<Exclude<WindowState, 'closed'>> {
    const { bounds } = await this.#look()
    return bounds.windowState === 'minimized' ? 'minimised' : 'normal'
  }

  async minimise(): Promise<void> {
    if ((await this.state()) === 'minimised') return
    await this.#set('minimized')
    await this.#follow('minimised')
  }

  /** A window that was as large as the screen is so again: bringing it to the front restores it, setting it to normal would not. */
  async show(): Promise<void> {
    const { connection, sessionId, isHeadless } = this.#options
    await connection.call('Page.bringToFront', {}, { sessionId })
    if (!isHeadless) await this.#follow('normal')
    if ((await this.state()) === 'normal') return
    await this.#set('normal')
    await this.#follow('normal')
  }

  #look() {
    const { connection, targetId } = this.#options
    return connection.call('Browser.getWindowForTarget', { targetId })
  }

  async #set(windowState: 'minimized' | 'normal'): Promise<void> {
    const { windowId } = await this.#look()
    await this.#options.connection.call('Browser.setWindowBounds', { windowId, bounds: { windowState } })
  }

  async #follow(wanted: WindowState): Promise<void> {
    const until = performance.now() + followMs
    while ((await this.state()) !== wanted && performance.now() < until) await delay(lookAgainMs)
  }
}
