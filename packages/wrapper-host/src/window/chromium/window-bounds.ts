import { setTimeout as delay } from 'node:timers/promises'
import type { WindowState } from '../engine.ts'
import type { DevToolsConnection } from './devtools-connection.ts'

/** Longest wait for the desktop's window manager to follow, in milliseconds; one that does not is no error. */
const followMs = 1000
const lookAgainMs = 15

/** Minimises, restores and raises one browser window. */
export class WindowBounds {
  readonly #connection: DevToolsConnection
  readonly #targetId: string
  readonly #sessionId: string
  #windowId: number | undefined

  constructor(
    connection: DevToolsConnection,
    target: { readonly targetId: string; readonly sessionId: string },
  ) {
    this.#connection = connection
    this.#targetId = target.targetId
    this.#sessionId = target.sessionId
  }

  async state(): Promise<Exclude<WindowState, 'closed'>> {
    const { windowId, bounds } = await this.#connection.call('Browser.getWindowForTarget', {
      targetId: this.#targetId,
    })
    this.#windowId = windowId
    return bounds.windowState === 'minimized' ? 'minimised' : 'normal'
  }

  async minimise(): Promise<void> {
    if ((await this.state()) === 'minimised') return
    await this.#set('minimized')
    await this.#follow('minimised')
  }

  /** Bringing to the front restores a window too, except where there is none to be seen. */
  async show(): Promise<void> {
    await this.#connection.call('Page.bringToFront', {}, { sessionId: this.#sessionId })
    if ((await this.state()) === 'minimised') await this.#set('normal')
    await this.#follow('normal')
  }

  async #set(windowState: string): Promise<void> {
    if (this.#windowId === undefined) await this.state()
    await this.#connection.call('Browser.setWindowBounds', {
      windowId: this.#windowId ?? 0,
      bounds: { windowState },
    })
  }

  async #follow(wanted: WindowState): Promise<void> {
    const until = performance.now() + followMs
    while ((await this.state()) !== wanted && performance.now() < until) await delay(lookAgainMs)
  }
}
