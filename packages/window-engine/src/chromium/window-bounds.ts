import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Deadline, pause } from '@service-link/protocol-core/time'
import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { WindowPlacement, WindowState } from '../engine.ts'
import { visiblePlacement } from '../page/appearance.ts'
import type { NativeWindow } from '../platform/window-platform.ts'

/** Longest wait for the window manager to follow, in milliseconds. If it does not, that is no error. */
const followMs = 1000
const lookAgainMs = 15
/** Time until the window manager has placed a shown window, in milliseconds. */
const settledMs = 1000

interface WindowBoundsOptions {
  readonly page: PageTarget
  /** Whether the window is invisible. The browser still keeps its state. */
  readonly isHeadless: boolean
  /** The same window for the operating system, if that lets this process command it. Then its state counts. */
  readonly native?: NativeWindow | undefined
}

/** Minimizes, hides, restores, raises and places one browser window. */
export class WindowBounds {
  readonly #options: WindowBoundsOptions
  /** Where it was last seen; not while a shown window settles. */
  #seenAt: WindowPlacement | undefined
  #isSettling = false

  constructor(options: WindowBoundsOptions) {
    this.#options = options
  }

  async state(): Promise<Exclude<WindowState, 'closed'>> {
    const native = this.#options.native?.state()
    if (native) return native
    const { bounds } = await this.#look()
    return bounds.windowState === 'minimized' ? 'minimised' : 'normal'
  }

  async hide(): Promise<void> {
    await this.placement()
    if (this.#options.native?.hide()) return this.#follow('minimised')
    return this.minimise()
  }

  async minimise(): Promise<void> {
    await this.placement()
    // It may be hidden, which is the same state.
    if (this.#options.native?.minimise()) return this.#follow('minimised')
    if ((await this.state()) === 'minimised') return
    await this.#set({ windowState: 'minimized' })
    await this.#follow('minimised')
  }

  /** Shows the window where it was. */
  async show(): Promise<void> {
    const { isHeadless } = this.#options
    const isAway = !isHeadless && (await this.state()) !== 'normal'
    this.#isSettling ||= isAway
    try {
      await this.#raise()
      // Some window managers place a window anew when it is shown.
      await this.bringOntoScreen(isAway ? this.#seenAt : undefined)
    } finally {
      // Others move it a moment later.
      const later = delay(settledMs, undefined, { ref: false })
      later
        .then(() => {
          this.#isSettling = false
          return this.bringOntoScreen()
        })
        .catch(() => undefined)
    }
  }

  /** Bringing it to the front keeps a maximized window maximized; setting its state would not. */
  async #raise(): Promise<void> {
    const { page, isHeadless, native } = this.#options
    if (native?.restore()) await this.#follow('normal')
    native?.raise()
    await page.call('Page.bringToFront')
    if (!isHeadless) await this.#follow('normal')
    if ((await this.state()) === 'normal') return
    // It was just being minimized.
    native?.restore()
    await this.#set({ windowState: 'normal' })
    await this.#follow('normal')
  }

  /** Where its user has put the window; `undefined` while it is minimized or maximized, or settles after it was shown. */
  async placement(): Promise<WindowPlacement | undefined> {
    if (this.#isSettling) return undefined
    const placement = await this.#place()
    // It may have been shown meanwhile.
    if (this.#isSettling) return undefined
    this.#seenAt = placement ?? this.#seenAt
    return placement
  }

  async #place(): Promise<WindowPlacement | undefined> {
    const { left, top, width, height, windowState } = (await this.#look()).bounds
    if (windowState !== 'normal' || left === undefined || top === undefined || !width || !height)
      return undefined
    return { left, top, width, height }
  }

  /**
   * Moves a window whose screen is gone, and one that is not where it should be. Does nothing while it is minimized or maximized, or if
   * the browser does not report its screens.
   */
  async bringOntoScreen(wanted?: WindowPlacement): Promise<void> {
    const { page, isHeadless } = this.#options
    const placement = isHeadless ? undefined : await this.#place()
    if (!placement) return
    const { screenInfos } = await page.call('Emulation.getScreenInfos').catch(() => ({ screenInfos: [] }))
    const screens = screenInfos.map(({ availLeft, availTop, availWidth, availHeight }) => ({
      left: availLeft,
      top: availTop,
      width: availWidth,
      height: availHeight,
    }))
    const visible = visiblePlacement(wanted ?? placement, screens)
    if (!isDeepStrictEqual(visible, placement)) await this.#set({ ...visible })
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
