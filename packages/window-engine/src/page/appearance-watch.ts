import type { PageTarget } from '../devtools/page-target.ts'
import type { WindowAppearance, WindowPlacement } from '../window-appearance.ts'

/** How often is looked where the window is, in milliseconds: that it was moved is told by nobody. */
const lookEveryMs = 10_000
/** Longest wait for the page to tell its zoom, in milliseconds: one that hangs never does. */
const zoomMs = 1000

/** What {@link AppearanceWatch} looks at. */
export interface AppearanceWatchOptions {
  readonly page: PageTarget
  /** Zoom with which the window was opened. */
  readonly zoom?: number
  /** Where the window is; `undefined` while that is not of its user's choice. */
  placement(): Promise<WindowPlacement | undefined>
  /** Whether the page shown is one that has the zoom which counts: each host has its own. */
  isZoomOfApp(): boolean
  onChanged(appearance: WindowAppearance): void
}

/** Tells when position, size or zoom of a window have become others than they were at the first look. */
export class AppearanceWatch implements Disposable {
  readonly #options: AppearanceWatchOptions
  #placement: WindowPlacement | undefined
  #zoom: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: AppearanceWatchOptions) {
    this.#options = options
  }

  /** Looks from time to time. The first look is at what it is compared with. */
  async begin(): Promise<void> {
    this.#timer ??= setInterval(() => void this.lookAtPlacement(), lookEveryMs).unref()
    await this.lookAtPlacement()
  }

  /** Looks at position and size, and tells when they are others. Never rejects. */
  async lookAtPlacement(): Promise<void> {
    const placement = await this.#options.placement().catch(() => undefined)
    if (!placement) return
    const last = this.#placement
    this.#placement = placement
    if (last && !isSame(last, placement)) this.#tell()
  }

  /** Looks at the zoom, and tells when it is another. Never rejects. */
  async lookAtZoom(): Promise<void> {
    if (!this.#options.isZoomOfApp()) return
    const metrics = this.#options.page.call('Page.getLayoutMetrics', {}, { timeoutMs: zoomMs })
    const read = await metrics.catch(() => undefined)
    if (!read?.visualViewport.zoom || !this.#options.isZoomOfApp()) return
    const zoom = Math.round(read.visualViewport.zoom * 10_000) / 10_000
    const last = this.#zoom
    this.#zoom = zoom
    if (last !== undefined && last !== zoom) this.#tell()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #tell(): void {
    if (!this.#placement) return
    this.#options.onChanged({ placement: this.#placement, zoom: this.#zoom ?? this.#options.zoom ?? 1 })
  }
}

function isSame(a: WindowPlacement, b: WindowPlacement): boolean {
  return a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height
}
