import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderRefusalPage } from '../scripts/refusal-page.ts'

// After a change, `vitest -u` on this file writes the examples.
test('docs/reference/partner-link-refusals.md shows the receiver’s current answers', async () => {
  const path = fileURLToPath(new URL('../../../docs/reference/partner-link-refusals.md', import.meta.url))
  const page = await readFile(path, 'utf8')
  await expect(await renderRefusalPage(page)).toMatchFileSnapshot(path)
})
