import type { WindowPlacement } from '../window-appearance.ts'

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
