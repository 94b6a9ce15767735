import { globSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPages } from '../../src/build/build-pages.ts'

test.each([
  ['index.html', 120_000],
  ['my.html', 150_000],
])('what %s loads before its log-in has less than %i bytes, compressed by Brotli', async (name, most) => {
  const folder = await buildPages('web-app')
  const page = await readFile(join(folder, name), 'utf8')
  const assets = Array.from(page.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => join(folder, `${path}`))
  // The longer of the two catalogues.
  const catalogues = globSync('assets/nb-*.js', { cwd: folder }).map(file => join(folder, file))
  expect(assets.length).toBeGreaterThan(3)
  expect(catalogues).toHaveLength(1)
  const sizes = await Promise.all(
    [...assets, ...catalogues].map(async file => (await stat(`${file}.br`)).size),
  )
  expect(sizes.reduce((sum, size) => sum + size, Buffer.byteLength(page))).toBeLessThan(most)
})
