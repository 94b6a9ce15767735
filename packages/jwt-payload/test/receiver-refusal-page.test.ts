import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { renderRefusalPage } from '../scripts/refusal-page.ts'

// When it fails: node -C @service-link/source scripts/write-refusals.ts, in packages/jwt-payload.
test('docs/reference/partner-link-refusals.md shows what the receiver answers now', async () => {
  const page = new URL('../../../docs/reference/partner-link-refusals.md', import.meta.url)
  expect(await readFile(page, 'utf8')).toBe(await renderRefusalPage())
})
