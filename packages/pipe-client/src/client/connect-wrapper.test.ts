import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceOf } from './connect-wrapper.ts'

test('the source of a person is the option, else in the classic mode the name of the program', () => {
  const { execPath, argv } = process
  const script = argv[1] ?? ''
  try {
    argv[1] = join('opt', 'journal-link.mjs')
    expect(sourceOf({ mode: 'classic', source: ' Acme Journal ' })).toBe('Acme Journal')
    expect(sourceOf({ source: 'Acme Journal' })).toBe('Acme Journal')
    expect(sourceOf({ mode: 'classic', source: ' ' })).toBe('journal-link')
    expect(sourceOf({})).toBeUndefined()
    // The next word of a packed program is an argument, perhaps a person's.
    process.execPath = join('opt', 'Bundesjournal')
    expect(sourceOf({ mode: 'classic' })).toBe('Bundesjournal')
  } finally {
    process.execPath = execPath
    argv[1] = script
  }
})
