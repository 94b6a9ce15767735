import { describe, expect, it } from 'vitest'
import { visiblePlacement } from './appearance.ts'

const left = { left: 0, top: 0, width: 1280, height: 900 }
const beside = { left: -1920, top: -200, width: 1920, height: 1080 }
const right = { left: 1280, top: 0, width: 1920, height: 1040 }
const size = { width: 600, height: 400 }

describe('visiblePlacement', () => {
  it.each([
    ['in the middle', { left: 100, top: 100, ...size }],
    ['on the second screen', { left: 2000, top: 300, ...size }],
    ['on a screen left of the main one', { left: -1900, top: -190, ...size }],
    ['across both', { left: 1000, top: 300, ...size }],
    ['partly below the screen, with its title to be seen', { left: 100, top: 800, ...size }],
    ['partly left of it', { left: -400, top: 10, ...size }],
    ['maximized with a border outside', { left: -8, top: -8, width: 1296, height: 916 }],
    ['narrower than what must be seen', { left: 10, top: 10, width: 60, height: 60 }],
  ])('keeps a window’s place: %s', (_name, placement) => {
    expect(visiblePlacement(placement, [left, right, beside])).toBe(placement)
  })

  it.each([
    ['beyond the right', { left: 5000, top: 5000, ...size }, { left: 2600, top: 640, ...size }],
    ['beyond the left', { left: -3000, top: -3000, ...size }, { left: 0, top: 0, ...size }],
    ['with its title above the screen', { left: 100, top: -390, ...size }, { left: 100, top: 0, ...size }],
    ['with a corner alone', { left: -540, top: 878, ...size }, { left: 0, top: 500, ...size }],
    [
      'larger than the screen',
      { left: -5000, top: 0, width: 3000, height: 2000 },
      { left: 0, top: 0, width: 1280, height: 900 },
    ],
  ])('moves a window to the nearest screen: %s', (_name, placement, expected) => {
    expect(visiblePlacement(placement, [left, right])).toEqual(expected)
  })

  it('keeps the place when the screens are unknown', () => {
    const placement = { left: 5000, top: 0, ...size }
    expect(visiblePlacement(placement, [])).toBe(placement)
  })
})
