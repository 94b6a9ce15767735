import type { EngineWindow, OpenWindowOptions, WindowAppearance } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'

/** Settings of a window's appearance, as the files hold them. */
export interface AppearanceSettings {
  readonly WindowPlacement: string
  readonly Zoom: string
}

interface AppearanceKeeperOptions {
  save(changes: AppearanceSettings): Promise<void>
  readonly report: ReportEvent
}

/** Shortest time without a change before the settings are saved, in milliseconds. */
const settleMs = 1000

/** Saves placement and zoom of the window when they no longer change, and at the end. */
export class AppearanceKeeper implements AsyncDisposable {
  readonly #options: AppearanceKeeperOptions
  readonly #stop: () => void
  #unsaved: WindowAppearance | undefined
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()

  constructor(window: EngineWindow, options: AppearanceKeeperOptions) {
    this.#options = options
    this.#stop = window.on('appearanceChanged', appearance => {
      this.#unsaved = appearance
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#save(), settleMs)
      this.#timer.unref()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop()
    this.#save()
    await this.#saving
  }

  #save(): void {
    clearTimeout(this.#timer)
    const appearance = this.#unsaved
    this.#unsaved = undefined
    if (!appearance) return
    this.#saving = this.#saving
      .then(() => this.#options.save(writeAppearance(appearance)))
      .catch(error => this.#options.report({ type: 'settings-unsaved', code: failureReason(error) }))
  }
}

/** Writes an appearance as settings: whole pixels, and a zoom of at most three decimals. */
export function writeAppearance({ placement, zoom }: WindowAppearance): AppearanceSettings {
  const { left, top, width, height } = placement
  return {
    WindowPlacement: [left, top, width, height].map(Math.round).join(','),
    Zoom: String(Math.round(zoom * 1000) / 1000),
  }
}

/** Reads the settings. The engine chooses the empty ones. */
export function readAppearance({
  WindowPlacement,
  Zoom,
}: AppearanceSettings): Pick<OpenWindowOptions, 'placement' | 'zoom'> {
  const [left, top, width, height] = WindowPlacement.split(',').map(Number)
  const isPlaced = left !== undefined && top !== undefined && width !== undefined && height !== undefined
  return {
    ...(isPlaced && { placement: { left, top, width, height } }),
    ...(Zoom !== '' && { zoom: Number(Zoom) }),
  }
}
