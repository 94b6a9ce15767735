import { readIcon } from '@service-link/protocol-core/windows'
import { expect, test } from 'vitest'
import { neutralIcon } from './icon.ts'

test('the neutral icon has the sizes that Windows shows', () => {
  const pictures = readIcon(neutralIcon()) ?? []
  expect(pictures.map(({ width, isPng }) => [width, isPng])).toEqual(
    [16, 24, 32, 48, 64, 128].map(size => [size, true]),
  )
})

test('a picture may be a PNG of 256 pixels', () => {
  const icon = Buffer.alloc(22 + 64)
  icon.set([0, 0, 1, 0, 1, 0])
  icon.writeUInt32LE(64, 14)
  icon.writeUInt32LE(22, 18)
  icon.set(Buffer.from('89504e470d0a1a0a', 'hex'), 22)
  expect(readIcon(icon)).toMatchObject([{ width: 256, isPng: true }])
})

test('neither a part of an icon file nor other data is an icon', () => {
  const icon = Buffer.from(neutralIcon())
  // A picture's data follow the header; each cut removes data of the last picture at least.
  for (const length of [0, 5, 6, 7, 21, 22, 101, 102, 1000, icon.length - 1])
    expect(readIcon(icon.subarray(0, length)), String(length)).toBeUndefined()
  for (const other of ['', 'PNG', '{}', 'MZ'.padEnd(100), '\0\0\u0002\0'.padEnd(100)])
    expect(readIcon(Buffer.from(other))).toBeUndefined()
})
