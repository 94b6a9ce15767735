type PathOf = (...numbers: number[]) => string

/** Floor, equipment and arrows, a path for each name. The numbers are places and sizes in the drawing. */
const things = {
  floor: (from = 3, to = 97) => `M${from} 94.5H${to}`,
  mat: (from = 8, to = 92) => `M${from} 96.2H${to}`,
  /** Its hatching is on the side that nobody sees. */
  wall: (x = 0, side = 1, top = 6) => {
    const marks = [0, 1, 2, 3, 4, 5, 6, 7].map(at => `M${x} ${at * 11 + 12}l${4 * side} -4`)
    return `M${x} ${top}V94.5${marks.join('')}`
  },
  line: (...at) => polyline(at),
  pad: (...at) => polyline(at),
  ring: (x = 0, y = 0, r = 4) => circle(x, y, r),
  /** Seat under a hip at x,73; the backrest is behind it. */
  chair: (x = 0) => `M${x - 9} 50V94.5M${x - 9} 80H${x + 9}V94.5`,
  bench: (from = 0, to = 0, y = 0) =>
    `M${from} ${y}H${to}v4H${from}ZM${from + 5} ${y + 4}V94.5M${to - 5} ${y + 4}V94.5`,
  table: (from = 0, to = 0, y = 0) => `M${from} ${y}H${to}M${from + 4} ${y}V94.5M${to - 4} ${y}V94.5`,
  box: (from = 0, to = 0, y = 0) => `M${from} 94.5V${y}H${to}V94.5`,
  /** Barbell from its end: one of its plates. */
  barbell: (x = 0, y = 0, r = 8) => circle(x, y, r) + circle(x, y, 1.2),
  /** Barbell from the front. */
  bar: (x = 0, y = 0, half = 0) =>
    `M${x - half - 4} ${y}H${x + half + 4}M${x - half} ${y - 6}v12M${x + half} ${y - 6}v12`,
  dumbbell: (x = 0, y = 0, angle = 0) => dumbbell(x, y, (angle * Math.PI) / 180),
  /** Held at x,y; its ball hangs down, or away at an angle. */
  kettlebell: (x = 0, y = 0, angle = -90) => {
    const [dx, dy] = [Math.cos((angle * Math.PI) / 180), -Math.sin((angle * Math.PI) / 180)]
    return circle(x + dx, y + dy, 2.8) + circle(x + 8.6 * dx, y + 8.6 * dy, 5)
  },
  band: (...at) => wave(at),
  arrow: (...at) => arrow(at),
  /** A rope or a soft line that bulges like an arrow. */
  arc: (...at) => arrow(at).split('M', 2).join('M'),
} satisfies Record<string, PathOf>

/** Whether a word of the data names a thing. */
export function isThing(word: string): word is keyof typeof things {
  return Object.hasOwn(things, word)
}

export function pathOfThing(name: keyof typeof things, numbers: readonly number[]): string {
  return things[name](...numbers)
}

function polyline(at: readonly number[]): string {
  return at.map((value, index) => `${index % 2 ? ' ' : index ? 'L' : 'M'}${value}`).join('')
}

function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
}

function dumbbell(x: number, y: number, turn: number): string {
  const [dx, dy] = [Math.cos(turn), -Math.sin(turn)]
  const at = (along: number, across: number) =>
    point(x + along * dx - across * dy, y + along * dy + across * dx)
  const plate = (along: number) => `M${at(along, -3.6)}L${at(along, 3.6)}`
  return `M${at(-6, 0)}L${at(6, 0)}${[-6, -4, 4, 6].map(plate).join('')}`
}

/** An elastic band between two points: half waves of four units. */
function wave([x = 0, y = 0, toX = 0, toY = 0]: readonly number[]): string {
  const length = Math.hypot(toX - x, toY - y)
  const count = Math.max(2, Math.round(length / 4))
  const [dx, dy] = [(toX - x) / count, (toY - y) / count]
  const crest = point(dx / 2 - ((toY - y) / length) * 3, dy / 2 + ((toX - x) / length) * 3)
  return `M${x} ${y}q${crest} ${point(dx, dy)}${`t${point(dx, dy)}`.repeat(count - 1)}`
}

/** From a point to another; a bulge bends it to its left (seen along the arrow) or, below zero, to its right. */
function arrow([x = 0, y = 0, toX = 0, toY = 0, bulge = 0]: readonly number[]): string {
  const length = Math.hypot(toX - x, toY - y)
  const middleX = (x + toX) / 2 + ((toY - y) / length) * 2 * bulge
  const middleY = (y + toY) / 2 - ((toX - x) / length) * 2 * bulge
  const back = Math.atan2(middleY - toY, middleX - toX)
  const barb = (turn: number) => point(toX + 5 * Math.cos(back + turn), toY + 5 * Math.sin(back + turn))
  return `M${x} ${y}Q${point(middleX, middleY)} ${toX} ${toY}M${barb(0.6)}L${toX} ${toY}L${barb(-0.6)}`
}

const point = (x: number, y: number) => `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`

/** A thick curve for body parts in a close-up: start, then a control point and an end for each piece. */
export function curveThrough(at: readonly number[]): string {
  return at.map((value, index) => `${index === 0 ? 'M' : index % 4 === 2 ? 'Q' : ' '}${value}`).join('')
}
