import { describe, expect, test } from 'vitest'
import { neutralPicture } from '../window/brand-icon.ts'
import type { TrayMenu } from './tray.ts'
import { readProgramLine, writeChanges, writeMenu } from './tray-program.ts'

const menu: TrayMenu = {
  tooltip: 'Wrapper',
  items: [
    { action: 'show', label: 'Show', isEnabled: true },
    { action: 'close', label: 'Close', isEnabled: true },
  ],
}

describe('writeMenu', () => {
  test('is one line', () => {
    const written = writeMenu({ ...menu, tooltip: 'Two\nlines' }, Uint8Array.of(1, 2, 3))
    expect(written.indexOf('\n')).toBe(written.length - 1)
    expect(JSON.parse(written)).toMatchObject({
      icon: 'AQID',
      tooltip: 'Two\nlines',
      items: [
        { title: 'Show', enabled: true, hidden: false, __id: 1 },
        { title: 'Close', enabled: true, hidden: false, __id: 2 },
      ],
    })
  })
})

describe('writeChanges', () => {
  test('nothing for a menu that looks the same', () => {
    expect(writeChanges(menu, structuredClone(menu))).toEqual([])
  })

  test('the items that differ', () => {
    const wanted: TrayMenu = {
      ...menu,
      items: [
        { action: 'show', label: 'Show', isEnabled: true },
        { action: 'close', label: 'Close', isEnabled: false },
      ],
    }
    expect(writeChanges(menu, wanted).map(line => JSON.parse(line))).toMatchObject([
      { type: 'update-item', seq_id: 1, item: { title: 'Close', enabled: false, __id: 2 } },
    ])
  })
})

describe('readProgramLine', () => {
  test.each([
    ['{"type": "ready"}', { type: 'ready' }],
    ['{"type":"clicked","item":{"title":"Close","__id":2},"__id":2}', { type: 'clicked', __id: 2 }],
  ])('%s', (line, read) => {
    expect(readProgramLine(line)).toEqual(read)
  })

  test.each([
    '',
    'ready',
    '{',
    'null',
    '[]',
    '{"type":"other"}',
    '{"type":"clicked"}',
    '{"type":"clicked","__id":"1"}',
    '{"type":"clicked","__id":1.5}',
  ])('an invalid line is ignored: %j', line => {
    expect(readProgramLine(line)).toBeUndefined()
  })
})

test('the neutral icon is a PNG', () => {
  const png = Buffer.from(neutralPicture())
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 32, 32])
})
