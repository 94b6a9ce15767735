/** A picture: four bytes a pixel (red, green, blue, opacity), in rows from the top. */
export interface Picture {
  /** Width and height in pixels. */
  readonly size: number
  readonly pixels: Uint8Array
}

type Colour = readonly [red: number, green: number, blue: number]

const frameColour: Colour = [37, 99, 168]
const pageColour: Colour = [255, 255, 255]

/** Points looked at in each direction of a pixel, so that edges are smooth. */
const samples = 4

/** The neutral icon: a window with a title bar and two lines of text. */
export function drawIcon(size = 32): Picture {
  const pixels = new Uint8Array(size * size * 4)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      pixels.set(pixelAt(column, row, size), (row * size + column) * 4)
  return { size, pixels }
}

/** The mean of the points of a pixel; colours count as much as they cover. */
function pixelAt(column: number, row: number, size: number): readonly number[] {
  const sums = [0, 0, 0]
  let covered = 0
  for (let point = 0; point < samples * samples; point++) {
    const x = (column + ((point % samples) + 0.5) / samples) / size
    const y = (row + (Math.floor(point / samples) + 0.5) / samples) / size
    const colour = colourAt(x, y)
    if (!colour) continue
    covered++
    for (const [index, part] of colour.entries()) sums[index] = (sums[index] ?? 0) + part
  }
  if (covered === 0) return [0, 0, 0, 0]
  return [...sums.map(sum => Math.round(sum / covered)), Math.round((255 * covered) / samples ** 2)]
}

/** What is at a point of a square with sides of 1. */
function colourAt(x: number, y: number): Colour | undefined {
  if (!isInside(x, y, { left: 0.06, top: 0.12, right: 0.94, bottom: 0.88, radius: 0.12 })) return undefined
  const isText =
    isInside(x, y, { left: 0.24, top: 0.46, right: 0.76, bottom: 0.54, radius: 0.04 }) ||
    isInside(x, y, { left: 0.24, top: 0.63, right: 0.6, bottom: 0.71, radius: 0.04 })
  const isPage = isInside(x, y, { left: 0.13, top: 0.32, right: 0.87, bottom: 0.81, radius: 0.06 })
  return isPage && !isText ? pageColour : frameColour
}

interface RoundedBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly radius: number
}

function isInside(x: number, y: number, { left, top, right, bottom, radius }: RoundedBox): boolean {
  const beyondX = Math.max(left + radius - x, x - (right - radius), 0)
  const beyondY = Math.max(top + radius - y, y - (bottom - radius), 0)
  return Math.hypot(beyondX, beyondY) <= radius
}
