import { figureOf, lineThrough } from './figure.ts'
import { poses } from './poses.ts'
import { curveThrough, isThing, pathOfThing } from './things.ts'

/** SVG path data of the figures of a drawing, a text for each way to paint it. Any of them may be empty. */
export interface FigurePaths {
  /** Arm and leg of the side that is turned away. */
  far: string
  trunk: string
  legs: string
  /** These leave a gap round themselves, or they would vanish before the trunk. */
  arms: string
  /** Filled, unlike all others. */
  head: string
}

/** SVG path data of one drawing. */
export interface Drawing {
  viewBox: string
  /** Floor and equipment, thin. */
  things: string
  /** Mats, pads and seats, thick and pale. */
  pads: string
  /** Where the movement goes. */
  arrows: string
  /** The figure where the movement begins, pale. */
  readonly from: FigurePaths
  readonly to: FigurePaths
}

/** Words of the data that begin a figure. */
const figures: Readonly<Record<string, { readonly pose: 'from' | 'to'; readonly isFront: boolean }>> = {
  from: { pose: 'from', isFront: false },
  to: { pose: 'to', isFront: false },
  fromfront: { pose: 'from', isFront: true },
  front: { pose: 'to', isFront: true },
}

const layers: Readonly<Record<string, 'pads' | 'arrows'>> = { mat: 'pads', pad: 'pads', arrow: 'arrows' }

/** The drawing of an exercise, if there is one. `poses.ts` tells how to read the data. */
export function drawingOf(slug: string): Readonly<Drawing> | undefined {
  const text = poses[slug]
  if (text === undefined) return undefined
  const noPaths = { far: '', trunk: '', legs: '', arms: '', head: '' }
  const drawing = {
    viewBox: '0 0 100 100',
    things: '',
    pads: '',
    arrows: '',
    from: { ...noPaths },
    to: noPaths,
  }
  for (const part of text.split('; ')) {
    const [word = '', ...values] = part.split(' ')
    const figure = figures[word]
    if (figure) {
      addFigure(drawing[figure.pose], values, figure.isFront)
      continue
    }
    const numbers = values.flatMap(value => value.split(',').map(Number))
    const [x = 0, y = 0, size = 100] = numbers
    if (isThing(word)) drawing[layers[word] ?? 'things'] += pathOfThing(word, numbers)
    else if (word === 'curve') drawing.to.legs += curveThrough(numbers)
    else if (word === 'view') drawing.viewBox = `${x} ${y} ${size} ${size}`
    else throw new TypeError(`The drawing of ${slug} has the unknown word ${word}.`)
  }
  return drawing
}

function addFigure(paths: FigurePaths, values: readonly string[], isFront: boolean): void {
  const { trunk, neck, head, limbs } = figureOf(values, isFront)
  paths.trunk += trunk
  paths.legs += neck
  paths.head += head
  for (const { kind, joints } of limbs) {
    const isFar = !isFront && kind === kind.toLowerCase()
    paths[isFar ? 'far' : kind === 'A' || kind === 'a' ? 'arms' : 'legs'] += lineThrough(joints)
  }
}
