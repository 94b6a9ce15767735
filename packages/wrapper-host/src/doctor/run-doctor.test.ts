import { expect, test } from 'vitest'
import { formatFindings } from './run-doctor.ts'

test('findings stand in columns with remedies below, and the last line sums up', () => {
  const text = formatFindings([
    { check: 'system', status: 'ok', sentence: 'Well.' },
    { check: 'user-folder', status: 'problem', sentence: 'Not well.', remedy: 'Do this.' },
    { check: 'tray', status: 'warning', sentence: 'So so.', remedy: 'Or that.' },
  ])
  expect(text.split('\n')).toEqual([
    'ok       system       Well.',
    'problem  user-folder  Not well.',
    '                      → Do this.',
    'warning  tray         So so.',
    '                      → Or that.',
    '',
    'Problems: 1. Warnings: 1.',
    '',
  ])
})

test('only passed and skipped checks make no fault', () => {
  const text = formatFindings(
    [
      { check: 'a', status: 'ok', sentence: 'Well.' },
      { check: 'b', status: 'skipped', sentence: 'Not here.' },
    ],
    (status, padded) => (status === 'ok' ? `<${padded}>` : padded),
  )
  expect(text).toBe('<ok     >  a  Well.\nskipped  b  Not here.\n\nNothing is wrong.\n')
})
