import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textsIn } from '../internal/ui/src/texts.ts'

const marksOf = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? []).sort()

const root = new URL('../', import.meta.url)
const read = (file: string) => textsIn(JSON.parse(readFileSync(new URL(file, root), 'utf8')))
const files = globSync('{apps,internal}/*/src/**/*nb.json', { cwd: root })

test.each(files)(
  '%s and its English twin have the same keys in the same order, with the same placeholders and tags',
  file => {
    const norwegian = new Map(read(file))
    const english = read(file.replace(/nb\.json$/, 'en.json'))
    expect([...norwegian.keys()]).toEqual(english.map(([key]) => key))
    for (const [key, text] of english) {
      expect(new Set(marksOf(norwegian.get(key) ?? '')), key).toEqual(new Set(marksOf(text)))
      expect(text.trim(), key).not.toBe('')
      expect(norwegian.get(key)?.trim(), key).not.toBe('')
    }
  },
)

test('catalogs are found', () => {
  expect(files).not.toEqual([])
})
