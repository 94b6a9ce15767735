import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { WindowAppearance, WindowPlacement } from '../engine.ts'

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

/** The part of a window at its top that its user takes hold of, in pixels. */
const titleHeight = 32
/** How much of that must be on a screen to be found and taken, in pixels. */
const graspWidth = 120
const graspHeight = 16

/**
 * Where a window must go so that its user sees it and can take hold of it: a screen may be gone on which it was.
 *
 * @param screens areas that windows may use, all in the same coordinates
 * @returns the placement itself where it is well, or there are no screens; else one within the nearest screen
 */
export function visiblePlacement(
  placement: WindowPlacement,
  screens: readonly WindowPlacement[],
): WindowPlacement {
  const title = { ...placement, height: Math.min(titleHeight, placement.height) }
  const isWell = screens.some(screen => {
    const { width, height } = overlap(title, screen)
    return width >= Math.min(graspWidth, placement.width) && height >= graspHeight
  })
  const [first, ...others] = screens
  if (isWell || !first) return placement
  const nearest = others.reduce(
    (best, screen) => (distance(placement, screen) < distance(placement, best) ? screen : best),
    first,
  )
  const width = Math.min(placement.width, nearest.width)
  const height = Math.min(placement.height, nearest.height)
  return {
    left: clamp(placement.left, nearest.left, nearest.left + nearest.width - width),
    top: clamp(placement.top, nearest.top, nearest.top + nearest.height - height),
    width,
    height,
  }
}

function overlap(
  a: WindowPlacement,
  b: WindowPlacement,
): { readonly width: number; readonly height: number } {
  return {
    width: Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left),
    height: Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top),
  }
}

/** Between the centres of a window and a screen. */
function distance(a: WindowPlacement, b: WindowPlacement): number {
  return Math.hypot(a.left + a.width / 2 - b.left - b.width / 2, a.top + a.height / 2 - b.top - b.height / 2)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
