import { isDeepStrictEqual } from 'node:util'
import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { WindowAppearance, WindowPlacement } from '../engine.ts'

/** Pause between two looks at position and size, in milliseconds. The browser does not report moves. */
const lookEveryMs = 10_000
/** Longest wait for the page's zoom, in milliseconds. A page that hangs never answers. */
const zoomMs = 1000

interface AppearanceWatchOptions {
  readonly page: PageTarget
  /** Zoom with which the window was opened. */
  readonly zoom?: number | undefined
  /** Where the window is; `undefined` while it is minimized or as large as the screen. */
  placement(): Promise<WindowPlacement | undefined>
  /** Whether the page is the web app's: each host has its own zoom. */
  isZoomOfApp(): boolean
  onChanged(appearance: WindowAppearance): void
}

/** Reports changes of a window's position, size and zoom. */
export class AppearanceWatch implements Disposable {
  readonly #options: AppearanceWatchOptions
  #placement: WindowPlacement | undefined
  #zoom: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: AppearanceWatchOptions) {
    this.#options = options
  }

  /** Begins to look from time to time. The first look only notes where the window is. */
  async begin(): Promise<void> {
    this.#timer ??= setInterval(() => void this.lookAtPlacement(), lookEveryMs).unref()
    await this.lookAtPlacement()
  }

  /** Looks at position and size, and reports a change. Never rejects. */
  async lookAtPlacement(): Promise<void> {
    const placement = await this.#options.placement().catch(() => undefined)
    if (!placement) return
    const last = this.#placement
    this.#placement = placement
    if (last && !isDeepStrictEqual(last, placement)) this.#tell()
  }

  /** Looks at the zoom, and reports a change. Never rejects. */
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

/** Height of a window's title bar, in pixels. */
const titleHeight = 32
/** Part of the title bar that must be on a screen so that a user can move the window, in pixels. */
const graspWidth = 120
const graspHeight = 16

/**
 * Moves a placement so that the user sees the window and can move it. The screen of a saved placement may be gone. Returns the
 * same placement if it can be seen or no screens are known; else one within the nearest screen.
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
  const [nearest] = screens.toSorted((a, b) => distance(placement, a) - distance(placement, b))
  if (isWell || !nearest) return placement
  const width = Math.min(placement.width, nearest.width)
  const height = Math.min(placement.height, nearest.height)
  return {
    left: clamp(placement.left, nearest.left, nearest.left + nearest.width - width),
    top: clamp(placement.top, nearest.top, nearest.top + nearest.height - height),
    width,
    height,
  }
}

function overlap(a: WindowPlacement, b: WindowPlacement): Pick<WindowPlacement, 'width' | 'height'> {
  return {
    width: Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left),
    height: Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top),
  }
}

/** Between the centers of a window and a screen. */
function distance(a: WindowPlacement, b: WindowPlacement): number {
  return Math.hypot(a.left + a.width / 2 - b.left - b.width / 2, a.top + a.height / 2 - b.top - b.height / 2)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
