import { setTimeout as delay } from 'node:timers/promises'
import { Deadline, pause } from '@service-link/protocol-core/time'
import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { WindowPlacement, WindowState } from '../engine.ts'
import { visiblePlacement } from '../page/appearance.ts'

/** Longest wait for the desktop's window manager to follow, in milliseconds; one that does not is no error. */
const followMs = 1000
const lookAgainMs = 15
/** After this a window that was shown is where its window manager wants it, in milliseconds. */
const settledMs = 1000

interface WindowBoundsOptions {
  readonly page: PageTarget
  /** Without a window to be seen the browser keeps its state all the same. */
  readonly isHeadless: boolean
}

/** Minimises, restores, raises and places one browser window. */
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
    await this.#set({ windowState: 'minimized' })
    await this.#follow('minimised')
  }

  /** A window that was as large as the screen is so again: bringing it to the front restores it, setting it to normal would not. */
  async show(): Promise<void> {
    const { page, isHeadless } = this.#options
    await page.call('Page.bringToFront')
    if (!isHeadless) await this.#follow('normal')
    if ((await this.state()) !== 'normal') {
      await this.#set({ windowState: 'normal' })
      await this.#follow('normal')
    }
    await this.bringOntoScreen()
    // Some window managers put a window where it was only a moment after it is shown.
    const later = delay(settledMs, undefined, { ref: false })
    later.then(() => this.bringOntoScreen()).catch(() => undefined)
  }

  /** Where the window is; `undefined` while it is minimised, or as large as the screen. */
  async placement(): Promise<WindowPlacement | undefined> {
    const { left, top, width, height, windowState } = (await this.#look()).bounds
    if (windowState !== 'normal' || left === undefined || top === undefined || !width || !height)
      return undefined
    return { left, top, width, height }
  }

  /** Moves a window that its user would not see, as its screen is gone. A browser that tells nothing of screens leaves it. */
  async bringOntoScreen(): Promise<void> {
    const { page, isHeadless } = this.#options
    const placement = isHeadless ? undefined : await this.placement()
    if (!placement) return
    const { screenInfos } = await page.call('Emulation.getScreenInfos').catch(() => ({ screenInfos: [] }))
    const screens = screenInfos.map(({ availLeft, availTop, availWidth, availHeight }) => ({
      left: availLeft,
      top: availTop,
      width: availWidth,
      height: availHeight,
    }))
    const visible = visiblePlacement(placement, screens)
    if (visible !== placement) await this.#set({ ...visible })
  }

  #look() {
    const { connection, targetId } = this.#options.page
    return connection.call('Browser.getWindowForTarget', { targetId })
  }

  async #set(bounds: { readonly [name: string]: string | number }): Promise<void> {
    const { windowId } = await this.#look()
    await this.#options.page.connection.call('Browser.setWindowBounds', { windowId, bounds })
  }

  async #follow(wanted: WindowState): Promise<void> {
    const deadline = new Deadline(followMs)
    while ((await this.state()) !== wanted && !deadline.isOver) await pause(lookAgainMs)
  }
}
