import fc from 'fast-check'
import { expect, test } from 'vitest'
import { luminanceOf, textOn } from './partner-mark.tsx'

test.each([
  ['#ffffff', '#000000'],
  ['#ffe600', '#000000'],
  ['#0b4f4a', '#ffffff'],
  ['#000000', '#ffffff'],
])('on %s one reads %s', (background, text) => {
  expect(textOn(background)).toBe(text)
})

test('whatever the background, the text has a contrast of 4.5 or more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), color => {
      const background = `#${color.toString(16).padStart(6, '0')}`
      const [dark = 0, light = 0] = [luminanceOf(background), luminanceOf(textOn(background))].sort(
        (a, b) => a - b,
      )
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})
