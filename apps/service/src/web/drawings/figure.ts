/** A point of the drawing, which is 100 wide and 100 high: x to the right, y down. */
type Point = readonly [x: number, y: number]

/** An arm or a leg: shoulder or hip, elbow or knee, hand or ankle, and the toes of a leg. */
interface Limb {
  readonly kind: 'A' | 'a' | 'L' | 'l'
  readonly joints: readonly Point[]
  /** Where the data want hand or ankle to be, if they name a point. */
  readonly wanted?: Point
}

/** Everybody is the same person: these lengths never change. Arm and leg have two parts of this length. */
const lengths = { trunk: 22, neck: 8.4, head: 5.4, arm: 12, leg: 18, foot: 7 }

/** Height of an ankle, a knee or a hand that rests on the floor. */
export const floorY = 91

/** Trunk, neck and head as path data, and the limbs of one figure of the data. */
export function figureOf([place = '', spine = '', ...ends]: readonly string[], isFront: boolean) {
  const [x = 0, y = 0] = place.split(',').map(Number)
  const hip: Point = [x, y]
  const [angle = 90, bend = 0, headAngle = angle, look] = spine.split(',').map(Number)
  const shoulder = step(hip, angle, lengths.trunk)
  const center = step(shoulder, headAngle, lengths.neck)
  const rootOf = (isArm: boolean, side: number): Point => {
    const middle = isArm ? step(shoulder, angle, -2) : hip
    return isFront ? step(middle, angle - 90, (isArm ? 7.6 : 3.4) * side) : middle
  }
  const back = step(step(hip, angle, lengths.trunk / 2), angle + 90, 2 * bend)
  const corner = (from: Point, out: number) => step(from, angle - 90, out)
  const trunk = isFront
    ? `${lineThrough([corner(shoulder, -4), corner(shoulder, 4), corner(hip, 1.5), corner(hip, -1.5)])}Z`
    : `M${rounded(hip)}Q${rounded(back)} ${rounded(shoulder)}`
  return {
    trunk,
    neck: lineThrough([shoulder, center]),
    head: headPath(center, look ?? (isFront ? undefined : headAngle - 90)),
    limbs: ends.map(end => limbOf(end, rootOf, isFront)),
  }
}

/** A head, whose nose points where it looks. */
function headPath(center: Point, look: number | undefined): string {
  const r = lengths.head
  const circle = `M${rounded(step(center, 180, r))}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0`
  if (look === undefined) return circle
  const nose = [24, -2, -24].map((turn, at) => step(center, look + turn, at === 1 ? r + 1.9 : r - 0.2))
  return `${circle}${lineThrough(nose)}Z`
}

/**
 * A limb from its text: letter, then either the point to reach (`A60,40`, `L50` on the floor) or the angles of its
 * parts (`A-80/10`). A leg may add the angle of the foot. `!` bends elbow or knee the other way.
 */
function limbOf(end: string, rootOf: (isArm: boolean, side: number) => Point, isFront: boolean): Limb {
  const kind = end[0] as Limb['kind']
  const isArm = kind === 'A' || kind === 'a'
  const side = kind < 'a' ? 1 : -1
  const root = rootOf(isArm, side)
  const length = isArm ? lengths.arm : lengths.leg
  const values = end.slice(1).replace('!', '').split(/[,/]/).map(Number)
  const footOf = (ankle: Point, shin: number, foot: number) =>
    isArm ? [] : [toesOf(ankle, foot, shin, isFront)]
  if (end.includes('/')) {
    const [upper = 0, lower = upper, foot = lower + 90] = values
    const middle = step(root, upper, length)
    const last = step(middle, lower, length)
    return { kind, joints: [root, middle, last, ...footOf(last, lower, foot)] }
  }
  const bend = (isFront ? side : isArm ? -1 : 1) * (end.endsWith('!') ? -1 : 1)
  const [x = 0, y = floorY, foot] = values
  const wanted: Point = [x, y]
  const [middle, last] = reach(root, wanted, length, bend)
  const shin = angleFrom(middle, last)
  const standing = isFront ? (side > 0 ? -25 : 205) : values.length === 1 ? 0 : shin + 90
  return { kind, joints: [root, middle, last, ...footOf(last, shin, foot ?? standing)], wanted }
}

/** A foot is short from the front. If it would go through the floor, it continues the shin. */
function toesOf(ankle: Point, angle: number, shin: number, isFront: boolean): Point {
  const toes = step(ankle, angle, isFront ? 4 : lengths.foot)
  return toes[1] > floorY + 2 ? step(ankle, shin, lengths.foot) : toes
}

/** Middle and end of two parts of one length that lead to a point. They are straight if it is too far. */
function reach(root: Point, wanted: Point, length: number, side: number): [Point, Point] {
  const distance = Math.hypot(wanted[0] - root[0], wanted[1] - root[1])
  const angle = angleFrom(root, wanted)
  const turn = degrees(Math.acos(Math.min(1, distance / 2 / length))) * side
  const middle = step(root, angle + turn, length)
  return [middle, step(middle, angle - turn, length)]
}

/** Angles are in degrees: 0 points to the right, 90 up. */
function step([x, y]: Point, angle: number, length: number): Point {
  const turn = (angle * Math.PI) / 180
  return [x + length * Math.cos(turn), y - length * Math.sin(turn)]
}

const angleFrom = (from: Point, to: Point) => degrees(Math.atan2(from[1] - to[1], to[0] - from[0]))

const degrees = (radians: number) => (radians * 180) / Math.PI

const rounded = (point: Point) => point.map(value => Number(value.toFixed(1))).join(' ')

/** Path data of the line through points. */
export const lineThrough = (points: readonly Point[]) => `M${points.map(rounded).join('L')}`
