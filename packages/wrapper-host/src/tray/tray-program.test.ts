import { describe, expect, test } from 'vitest'
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
  test('is one line, with a place for every item of a later menu', () => {
    const written = writeMenu({ ...menu, tooltip: 'Two\nlines' }, Uint8Array.of(1, 2, 3))
    expect(written.indexOf('\n')).toBe(written.length - 1)
    expect(JSON.parse(written)).toMatchObject({
      icon: 'AQID',
      tooltip: 'Two\nlines',
      items: [
        { title: 'Show', enabled: true, hidden: false, __id: 1 },
        { title: 'Close', enabled: true, hidden: false, __id: 2 },
        { hidden: true, enabled: false, __id: 3 },
      ],
    })
  })
})

describe('writeChanges', () => {
  test('nothing for a menu that looks the same', () => {
    expect(writeChanges(menu, structuredClone(menu))).toEqual([])
  })

  test('the items that differ, and the tooltip', () => {
    const wanted: TrayMenu = {
      tooltip: 'Other',
      items: [
        { action: 'show', label: 'Show', isEnabled: true },
        { action: 'signOut', label: 'Sign out', isEnabled: false },
        { action: 'close', label: 'Close', isEnabled: true },
      ],
    }
    expect(writeChanges(menu, wanted).map(line => JSON.parse(line))).toMatchObject([
      { type: 'update-item', seq_id: 1, item: { title: 'Sign out', enabled: false, __id: 2 } },
      { type: 'update-item', seq_id: 2, item: { title: 'Close', hidden: false, __id: 3 } },
      { type: 'update-menu', menu: { tooltip: 'Other' } },
    ])
  })
})

describe('readProgramLine', () => {
  test.each([
    ['{"type": "ready"}', { type: 'ready' }],
    [
      '{"type":"clicked","item":{"title":"Close","__id":2},"seq_id":1,"__id":2}',
      { type: 'clicked', place: 1 },
    ],
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
    '{"type":"clicked","__id":0}',
    '{"type":"clicked","__id":4}',
    '{"type":"clicked","__id":"1"}',
    '{"type":"clicked","__id":1.5}',
  ])('an invalid line is ignored: %j', line => {
    expect(readProgramLine(line)).toBeUndefined()
  })
})
