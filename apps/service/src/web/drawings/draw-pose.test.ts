import { describe, expect, test } from 'vitest'
import exercises from '../../server/workouts/exercises.json' with { type: 'json' }
import { drawingOf, type FigurePaths } from './draw-pose.ts'
import { figureOf, floorY } from './figure.ts'
import { poses } from './poses.ts'

const slugs = exercises.map(({ slug }) => slug)

test('each exercise has a drawing, and no drawing is left over', () => {
  expect(Object.keys(poses).sort()).toEqual([...slugs].sort())
  expect(drawingOf('no-such-exercise')).toBeUndefined()
})

test('no two exercises have the same drawing', () => {
  expect(new Set(Object.values(poses)).size).toBe(slugs.length)
})

describe.each(slugs)('%s', slug => {
  const drawing = drawingOf(slug)
  const text = poses[slug] ?? ''

  test('is inside its view box', () => {
    expect(drawing).toBeDefined()
    if (!drawing) return
    const { viewBox, things, pads, arrows, from, to } = drawing
    const [left = 0, top = 0, size = 0] = viewBox.split(' ').map(Number)
    const paths = [things, pads, arrows, ...pathsOf(from), ...pathsOf(to)].join('')
    expect(paths).not.toMatch(/NaN|undefined|Infinity/)
    // A close-up cuts off what it does not show.
    if (size < 90) return
    for (const [x = 0, y = 0] of pointsOf(paths)) {
      expect(x).toBeGreaterThanOrEqual(left)
      expect(x).toBeLessThanOrEqual(left + size)
      expect(y).toBeGreaterThanOrEqual(top)
      expect(y).toBeLessThanOrEqual(top + size)
    }
  })

  test('has limbs that reach what they hold or stand on, above the floor', () => {
    for (const part of text.split('; ')) {
      const [word = '', ...values] = part.split(' ')
      if (!/^(from|to|front|fromfront)$/.test(word)) continue
      for (const { kind, joints, wanted } of figureOf(values, word.endsWith('front')).limbs) {
        const [, , end = [0, 0]] = joints
        const miss = wanted ? Math.hypot(end[0] - wanted[0], end[1] - wanted[1]) : 0
        expect(miss, `${word} ${kind} ends at ${end}`).toBeLessThan(1)
        const lowest = Math.max(...joints.map(([, y]) => y))
        if (/\b(floor|mat)\b/.test(text)) expect(lowest, `${word} ${kind}`).toBeLessThan(floorY + 2.5)
      }
    }
  })
})

const pathsOf = ({ far, trunk, legs, arms, head }: FigurePaths) => [far, trunk, legs, arms, head]

/** The points that path data names in absolute coordinates, without the control points of curves. */
function pointsOf(paths: string): number[][] {
  return [...paths.replaceAll(/Q\S+ \S+ /g, 'L').matchAll(/[ML]([^a-zA-Z]*)/g)].flatMap(([, numbers = '']) =>
    [...numbers.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  )
}
