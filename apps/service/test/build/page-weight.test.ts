import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPages, webApp } from '../../src/build/build-pages.ts'

test.each([
  ['index.html', 112_000],
  ['my.html', 100_000],
])('%s first loads one script and one style sheet, less than %i bytes by Brotli', async (name, most) => {
  const folder = await buildPages(webApp)
  const page = await readFile(join(folder, name), 'utf8')
  const assets = Array.from(page.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => join(folder, `${path}`))
  expect(assets.map(path => path.replace(/.*\./, '')).sort()).toEqual(['css', 'js'])
  const sizes = await Promise.all(assets.map(async file => (await stat(`${file}.br`)).size))
  expect(sizes.reduce((sum, size) => sum + size, Buffer.byteLength(page))).toBeLessThan(most)
})
