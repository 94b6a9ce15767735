import { expect, test } from 'vitest'
import { neutralIcon } from './create-systray.ts'

test('the neutral icon is a PNG, and a Windows icon with that PNG in it', () => {
  const png = Buffer.from(neutralIcon('png'))
  const ico = Buffer.from(neutralIcon('ico'))
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 32, 32])
  expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6], ico[7]]).toEqual([1, 1, 32, 32])
  expect(ico.subarray(ico.readUInt32LE(18)).equals(png)).toBe(true)
  expect(ico.readUInt32LE(14)).toBe(png.length)
})
