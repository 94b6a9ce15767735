/** Where a window is, in screen pixels. */
export interface WindowPlacement {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** What of a window its user chose and expects to find again. */
export interface WindowAppearance {
  /** Position and size while it is neither minimised nor as large as the screen. */
  readonly placement: WindowPlacement
  /** Zoom of the page; 1 is its own size. */
  readonly zoom: number
}
